// Deposits, withdrawals and adjustments, with filters, and how far each withdrawal has come.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { served } from "../../shared/config";
import { maybe, t } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { Net } from "../net";
import { setBalance, amount } from "../store";
import { byToken, DAYS, Filters, filtersOf, Pager, when, type Filter } from "./parts";
import { useRead } from "./private";

type Transaction = Schemas["Transaction"];

const TYPES = ["deposit", "withdrawal", "adjustment", "adjustment_correction"];
const STATUSES = ["pending", "review", "credited", "approved", "sending", "completed", "failed", "rejected", "cancelled"];
const named = (prefix: string, values: string[]) => values.map((each) => [each, maybe(`${prefix}.${each}`) ?? each] as const);

const filters = (): Filter[] => [
  { name: "type", label: "column.what", options: named("transaction", TYPES) },
  { name: "status", label: "column.status", options: named("status", STATUSES) },
  byToken(), ...DAYS,
];

export function Transactions() {
  const of = filters();
  const asked = filtersOf(of);
  const key = JSON.stringify(asked);
  const [at, setAt] = useState({ key, page: 1 });
  const page = at.key === key ? at.page : 1;
  const [list, again] = useRead(() => api.get("/account/transactions", { query: { page, limit: 20, ...asked } }), page, key);
  const cancel = (id: string) => {
    api.post("/withdraw/{id}/cancel", { path: { id } }).then((done) => {
      setBalance(done.withdrawal.token, done.balance);
      again();
    }, complain);
  };
  return (
    <section aria-label={t("transactions")}>
      <Filters of={of} />
      {list?.transactions.length === 0 && <p class="panel muted">{t(key === "{}" ? "transactions.none" : "filters.none")}</p>}
      <ul class="entries">{list?.transactions.map((each) => <Entry key={each.id} of={each} cancel={() => cancel(each.id)} />)}</ul>
      <Pager page={page} more={list?.nextCursor != null} go={(to) => setAt({ key, page: to })} />
    </section>
  );
}

/** Whether the service lets the player cancel it: nobody decided yet, or it can never be paid. */
function cancellable({ type, status, reason }: Transaction): boolean {
  return type === "withdrawal" && (status === "pending" || (status === "approved" && reason?.startsWith("can never be paid") === true));
}

function Entry({ of, cancel }: { of: Transaction; cancel: () => void }) {
  const reason = of.reason === null ? null : of.type === "deposit" ? (maybe(`claim.${of.reason}`) ?? of.reason) : of.reason;
  const units = of.amount === null ? null : of.direction === "credit" ? BigInt(of.amount) : -BigInt(of.amount);
  return (
    <li class="entry" data-transaction={of.id} data-status={of.status}>
      <span><strong>{maybe(`transaction.${of.type}`) ?? of.type}</strong><br /><small>{when(of.createdAt)}</small></span>
      <span class="sum">
        {units === null ? "–" : of.status === "completed" || of.status === "credited" ? <Net of={units} token={of.token} /> : <strong>{amount(of.amount ?? 0, of.token)}</strong>}
        <br /><span class="tag">{maybe(`status.${of.status}`) ?? of.status}</span>
      </span>
      <div class="row">
        {of.type === "withdrawal" && <Timeline of={of} />}
        {of.correctedBy !== null && <small data-corrected>{t("transaction.corrected")}</small>}
        {reason !== null && <small data-reason>{t("reason", { reason })}</small>}
        {of.destination !== null && <small>{t("withdraw.goes", { wallet: `${of.destination.slice(0, 6)}…${of.destination.slice(-6)}` })}</small>}
        {of.signature !== null && served.explorer !== "" && (
          <a href={served.explorer.replaceAll("{signature}", encodeURIComponent(of.signature))} target="_blank" rel="noopener noreferrer">{t("explorer")}</a>
        )}
        {cancellable(of) && <button type="button" class="cancel" onClick={cancel}>{t("withdraw.cancel")}</button>}
      </div>
    </li>
  );
}

const WAY = ["pending", "approved", "sending", "completed"] as const;

/** The steps of a withdrawal: those done, the present one, and how it ended otherwise. */
function Timeline({ of }: { of: Transaction }) {
  const at = WAY.findIndex((each) => each === of.status);
  const ended = at < 0;
  const steps = ended ? ["pending", of.status] : WAY;
  return (
    <ol class="steps-of" aria-label={t("withdraw.way")} style={{ flexBasis: "100%" }}>
      {steps.map((each, i) => {
        const last = ended && i === 1;
        const now = !ended && i === at && of.status !== "completed";
        return (
          <li key={each} class={last ? "ended" : now ? "now" : ended || i <= at ? "done" : ""} aria-current={now || last ? "step" : undefined}>
            {last ? (maybe(`status.${each}`) ?? each) : maybe(`way.${each}`)}
          </li>
        );
      })}
    </ol>
  );
}
