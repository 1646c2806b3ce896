// Withdrawals by their state; by default those that wait for a decision.

import { maybe } from "../../shared/i18n";
import { to } from "../../shared/route";
import { chosen, days } from "../filters";
import { List } from "../list";
import { Address, Status, When } from "../parts";
import { amount } from "../store";
import { t } from "../text";
import { tokenOptions } from "../token";

const OTHERS = ["failed", "approved", "sending", "completed", "rejected", "cancelled"] as const;

export default function Withdrawals() {
  const status = chosen().status ?? "pending";
  return (
    <>
      <h1>{t("nav.withdrawals")}</h1>
      {status === "pending" && <p class="muted">{t("withdrawals.explain")}</p>}
      <List view="withdrawals" path="/admin/transactions" rows={(found) => found.transactions} asked={{ type: "withdrawal", status: "pending" }} title={t("nav.withdrawals")} id={(row) => row.id} empty={t("withdrawals.none")} columns={[
        { head: t("column.when"), cell: (row) => <a href={to("withdrawals", row.id)}><When at={row.createdAt} /></a> },
        { head: t("column.player"), cell: (row) => <Address of={row.wallet} link /> },
        { head: t("amount"), number: true, cell: (row) => (row.amount === null ? t("unknown") : amount(row.amount, row.token)) },
        { head: t("column.destination"), cell: (row) => (row.destination === null ? "" : row.destination === row.wallet ? t("destination.own") : <Address of={row.destination} />) },
        { head: t("column.status"), cell: (row) => <Status of={row.status} /> },
      ]} filters={[
          { name: "status", label: t("column.status"), nothing: maybe("status.pending") ?? "pending", options: OTHERS.map((each) => [each, maybe(`status.${each}`) ?? each]) },
          { name: "token", label: t("token"), options: tokenOptions() },
          { name: "wallet", label: t("column.player") },
          ...days(),
        ]} />
    </>
  );
}
