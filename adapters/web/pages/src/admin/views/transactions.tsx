// Deposits, withdrawals and adjustments; a deposit in review is decided here.

import { api, type Schemas } from "../../shared/api";
import { maybe } from "../../shared/i18n";
import { to } from "../../shared/route";
import { ask } from "../confirm";
import { List, type Query } from "../list";
import { may } from "../me";
import { Address, Status, When } from "../parts";
import { amount, tokens } from "../store";
import type { Column } from "../table";
import { t } from "../text";

type Row = Schemas["AdminTransaction"];

const TYPES = ["deposit", "withdrawal", "adjustment", "assignment"] as const;
const STATUSES = ["pending", "review", "credited", "approved", "sending", "completed", "failed", "rejected", "cancelled"] as const;

function columns(): Column<Row>[] {
  return [
    { head: t("column.when"), cell: (row) => (row.type === "withdrawal" ? <a href={to("withdrawals", row.id)}><When at={row.createdAt} /></a> : <When at={row.createdAt} />) },
    { head: t("column.kind"), cell: (row) => maybe(`transaction.${row.type}`) ?? row.type },
    { head: t("column.player"), cell: (row) => <Address of={row.wallet} link /> },
    { head: t("amount"), number: true, cell: (row) => (row.amount === null ? t("unknown") : amount(row.direction === "credit" ? row.amount : -BigInt(row.amount), row.token)) },
    { head: t("column.status"), cell: (row) => <Status of={row.status} /> },
    { head: t("column.reason"), cell: (row) => <span class="long">{row.reason ?? ""}</span> },
    { head: t("column.signature"), cell: (row) => (row.signature === null ? "" : <code title={row.signature}>{row.signature.slice(0, 8)}…</code>) },
    { head: t("column.acts"), cell: (row) => <Resolve row={row} /> },
  ];
}

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
    run: async (reason) => {
      const done = await api.post("/admin/deposits/resolve", { body: { signature, token, reason, ...(credit && { wallet }) } });
      return t("approval" in done ? "second.asked" : credit ? "deposit.credited" : "deposit.declined");
    },
  });
  return (
    <span class="row acts">
      <button type="button" onClick={() => resolve(true)}>{t("deposit.credit.act")}</button>
      <button type="button" onClick={() => resolve(false)}>{t("deposit.decline.act")}</button>
    </span>
  );
}

async function read(query: Query) {
  const found = await api.get("/admin/transactions", { query });
  return { ...found, rows: found.transactions };
}

export default function Transactions() {
  const named = <T extends string>(of: readonly T[], prefix: string) => of.map((each) => [each, maybe(`${prefix}.${each}`) ?? each] as const);
  return (
    <>
      <h1>{t("nav.transactions")}</h1>
      <List view="transactions" title={t("nav.transactions")} columns={columns()} id={(row) => row.id} empty={t("transactions.empty")} read={read} sheet={(query) => api.sheet("/admin/transactions", { query })}
        filters={[
          { name: "type", label: t("column.kind"), options: named(TYPES, "transaction") }, { name: "status", label: t("column.status"), options: named(STATUSES, "status") },
          { name: "wallet", label: t("column.player") }, { name: "token", label: t("token"), options: tokens.value.map((each) => [each.token, each.symbol]) },
          { name: "agentCode", label: t("column.agent") }, { name: "from", label: t("filter.from"), kind: "day" }, { name: "to", label: t("filter.to"), kind: "day" },
        ]} />
    </>
  );
}
