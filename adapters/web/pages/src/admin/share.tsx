// Agents' shares of their players' losses, by day.

import { api } from "../shared/api";
import { useRead } from "./read";
import { Sheet } from "./sheet";
import { amount } from "./store";
import { Table } from "./table";
import { t } from "./text";

export function Share({ agentCode }: { agentCode?: string }) {
  const query = { days: 30, ...(agentCode !== undefined && { agentCode }) };
  const [found, failure] = useRead(() => api.get("/admin/metrics/revenue-share", { query }), agentCode);
  return (
    <>
      <h2>{t("share.title")}</h2>
      <Table title={t("share.title")} rows={found === null ? null : [...found.shares].reverse()} id={(each) => `${each.date} ${each.agentCode} ${each.token}`} empty={t("share.none")} failure={failure} columns={[
        { head: t("column.day"), cell: (each) => each.date },
        { head: t("column.agent"), cell: (each) => each.agentCode },
        { head: t("overview.rounds"), number: true, cell: (each) => String(each.rounds) },
        { head: t("column.wagered"), number: true, cell: (each) => amount(each.wagered, each.token) },
        { head: t("column.ggr"), number: true, cell: (each) => amount(each.ggr, each.token) },
        { head: t("agent.percent"), number: true, cell: (each) => `${each.percent} %` },
        { head: t("share.share"), number: true, cell: (each) => amount(each.share, each.token) },
      ]} />
      <p class="row"><Sheet name="revenue-share" read={() => api.sheet("/admin/metrics/revenue-share", { query })} /></p>
    </>
  );
}
