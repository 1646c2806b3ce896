// Deposits, withdrawals and adjustments; a deposit in review is decided here.

import { api, type Schemas } from "../../shared/api";
import { maybe } from "../../shared/i18n";
import { to } from "../../shared/route";
import { ask } from "../confirm";
import { days } from "../filters";
import { ListView } from "../list";
import { may } from "../me";
import { Address, Status, When } from "../parts";
import { amount } from "../store";
import { t } from "../text";
import { tokenOptions } from "../token";

type Row = Schemas["AdminTransaction"];

const TYPES = ["deposit", "withdrawal", "adjustment", "assignment"] as const;
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
      { head: t("column.acts"), cell: (row) => <Resolve row={row} /> },
    ]} filters={[
      { name: "type", label: t("column.kind"), options: named(TYPES, "transaction") }, { name: "status", label: t("column.status"), options: named(STATUSES, "status") },
      { name: "wallet", label: t("column.player") }, { name: "token", label: t("token"), options: tokenOptions() },
      { name: "agentCode", label: t("column.agent") }, ...days(),
    ]} />
  );
}
