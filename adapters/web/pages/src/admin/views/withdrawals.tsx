// Withdrawals by their state; by default those that wait for a decision.

import { api, type Schemas } from "../../shared/api";
import { maybe } from "../../shared/i18n";
import { to } from "../../shared/route";
import { chosen } from "../filters";
import { List, type Query } from "../list";
import { Address, Status, When } from "../parts";
import { amount, tokens } from "../store";
import type { Column } from "../table";
import { t } from "../text";

type Row = Schemas["AdminTransaction"];

const OTHERS = ["failed", "approved", "sending", "completed", "rejected", "cancelled"] as const;

function columns(): Column<Row>[] {
  return [
    { head: t("column.when"), cell: (row) => <a href={to("withdrawals", row.id)}><When at={row.createdAt} /></a> },
    { head: t("column.player"), cell: (row) => <Address of={row.wallet} link /> },
    { head: t("amount"), number: true, cell: (row) => (row.amount === null ? t("unknown") : amount(row.amount, row.token)) },
    { head: t("column.destination"), cell: (row) => (row.destination === null ? "" : row.destination === row.wallet ? t("destination.own") : <Address of={row.destination} />) },
    { head: t("column.status"), cell: (row) => <Status of={row.status} /> },
  ];
}

function asked(query: Query) {
  return { ...query, type: "withdrawal" as const, status: (query.status ?? "pending") as Row["status"] };
}

async function read(query: Query) {
  const found = await api.get("/admin/transactions", { query: asked(query) });
  return { ...found, rows: found.transactions };
}

export default function Withdrawals() {
  const status = chosen().status ?? "pending";
  return (
    <>
      <h1>{t("nav.withdrawals")}</h1>
      {status === "pending" && <p class="muted">{t("withdrawals.explain")}</p>}
      <List view="withdrawals" title={t("nav.withdrawals")} columns={columns()} id={(row) => row.id} empty={t("withdrawals.none")} read={read} sheet={(query) => api.sheet("/admin/transactions", { query: asked(query) })}
        filters={[
          { name: "status", label: t("column.status"), nothing: maybe("status.pending") ?? "pending", options: OTHERS.map((each) => [each, maybe(`status.${each}`) ?? each]) },
          { name: "token", label: t("token"), options: tokens.value.map((each) => [each.token, each.symbol]) },
          { name: "wallet", label: t("column.player") },
          { name: "from", label: t("filter.from"), kind: "day" },
          { name: "to", label: t("filter.to"), kind: "day" },
        ]} />
    </>
  );
}
