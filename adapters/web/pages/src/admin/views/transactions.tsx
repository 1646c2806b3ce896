// Deposits, withdrawals and adjustments; a deposit in review is decided here, and the correction
// of an adjustment or an assignment is requested.

import { api, type Schemas } from "../../shared/api";
import { maybe } from "../../shared/i18n";
import { to } from "../../shared/route";
import { ask } from "../confirm";
import { days } from "../filters";
import { ListView } from "../list";
import { bound, may } from "../me";
import { Address, Status, When } from "../parts";
import { amount } from "../store";
import { t } from "../text";
import { tokenOptions } from "../token";

type Row = Schemas["AdminTransaction"];

const TYPES = ["deposit", "withdrawal", "adjustment", "assignment", "adjustment_correction", "assignment_correction"] as const;
const STATUSES = ["pending", "review", "credited", "approved", "sending", "completed", "failed", "rejected", "cancelled"] as const;

/** Credits or declines a deposit in review, if the role may write balances; above the threshold
 * a credit takes a second person. */
function Resolve({ row }: { row: Row }) {
  const { signature, token, wallet, type, status } = row;
  if (type !== "deposit" || status !== "review" || signature === null || !may("balances:write")) return null;
  const resolve = (credit: boolean) => ask({
    title: t(credit ? "deposit.credit" : "deposit.decline"), act: t(credit ? "deposit.credit.act" : "deposit.decline.act"), danger: !credit, text: "reason",
    children: (
      <>
        <p>{t(credit ? "deposit.credit.happens" : "deposit.decline.happens")}</p>
        <p>{credit && <code>{wallet}</code>} <code>{signature}</code></p>
      </>
    ),
    run: (reason) => api.post("/admin/deposits/resolve", { body: { signature, token, reason, ...(credit && { wallet }) } }),
    done: (done) => t("approval" in done ? "second.asked" : credit ? "deposit.credited" : "deposit.declined"),
  });
  return (
    <span class="row acts">
      <button type="button" onClick={() => resolve(true)}>{t("deposit.credit.act")}</button>
      <button type="button" onClick={() => resolve(false)}>{t("deposit.decline.act")}</button>
    </span>
  );
}

/** Requests that an adjustment or an assignment is booked back, which a second person decides. */
function Correct({ row }: { row: Row }) {
  const { id, type, wallet, token, amount: units, direction, correctedBy } = row;
  if ((type !== "adjustment" && (type !== "assignment" || bound())) || units === null || correctedBy !== null || !may("balances:write")) return null;
  return (
    <button type="button" class="correct" onClick={() => ask({
      title: t("correct"), act: t("correct.act"), danger: true, text: "reason",
      children: (
        <>
          <p>{t(type === "assignment" ? "correct.assignment.happens" : "correct.happens")}</p>
          <p><strong>{amount(direction === "credit" ? -BigInt(units) : units, token)}</strong> <code>{wallet}</code></p>
        </>
      ),
      run: (reason) => api.post("/admin/transactions/{id}/correct", { path: { id }, once: true, body: { reason } }),
      done: t("second.asked"),
    })}>{t("correct.act")}</button>
  );
}

/** Names the other one of an entry and its correction. */
function Linked({ row }: { row: Row }) {
  if (row.corrects !== null) return <span class="muted">{t("correct.of")} <code title={row.corrects}>{row.corrects.slice(-8)}</code></span>;
  if (row.correctedBy !== null) return <span class="muted">{t("correct.by")} <code title={row.correctedBy}>{row.correctedBy.slice(-8)}</code></span>;
  return null;
}

export default function Transactions() {
  const named = <T extends string>(of: readonly T[], prefix: string) => of.map((each) => [each, maybe(`${prefix}.${each}`) ?? each] as const);
  return (
    <ListView view="transactions" path="/admin/transactions" rows={(found) => found.transactions}
      title={t("nav.transactions")} id={(row) => row.id} empty={t("transactions.empty")} columns={[
      { head: t("column.when"), cell: (row) => (row.type === "withdrawal" ? <a href={to("withdrawals", row.id)}><When at={row.createdAt} /></a> : <When at={row.createdAt} />) },
      { head: t("column.kind"), cell: (row) => maybe(`transaction.${row.type}`) ?? row.type },
      { head: t("column.player"), cell: (row) => <Address of={row.wallet} link /> },
      { head: t("amount"), number: true, cell: (row) => (row.amount === null ? t("unknown") : amount(row.direction === "credit" ? row.amount : -BigInt(row.amount), row.token)) },
      { head: t("column.status"), cell: (row) => <Status of={row.status} /> },
      { head: t("column.reason"), cell: (row) => <span class="long">{row.reason ?? ""}</span> },
      { head: t("column.signature"), cell: (row) => (row.signature === null ? "" : <code title={row.signature}>{row.signature.slice(0, 8)}…</code>) },
      { head: t("column.acts"), cell: (row) => <><Resolve row={row} /><Correct row={row} /><Linked row={row} /></> },
    ]} filters={[
      { name: "type", label: t("column.kind"), options: named(TYPES, "transaction") }, { name: "status", label: t("column.status"), options: named(STATUSES, "status") },
      { name: "wallet", label: t("column.player") }, { name: "token", label: t("token"), options: tokenOptions() },
      { name: "agentCode", label: t("column.agent") }, ...days(),
    ]} />
  );
}
