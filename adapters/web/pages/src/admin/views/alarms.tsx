// Alarms: listed with instructions, and acknowledged by an admin.

import { api, type Schemas } from "../../shared/api";
import { ask } from "../confirm";
import { List, type Query } from "../list";
import { may } from "../me";
import { Address, Status, When } from "../parts";
import type { Column } from "../table";
import { t } from "../text";

type Alarm = Schemas["Alarm"];

/** A happening needs an acknowledgement; a condition goes when it is over. */
function acknowledge(alarm: Alarm): void {
  const clear = alarm.ending === "happening";
  ask({
    title: t("alarm.acknowledge"), act: t("alarm.acknowledge.act"), text: "reason",
    children: (
      <>
        <p>{t(clear ? "alarm.happening.happens" : "alarm.condition.happens")}</p>
        <p><strong>{alarm.message}</strong> <code>{alarm.about}</code></p>
      </>
    ),
    run: async (note) => {
      await api.post("/admin/alarms/{id}/acknowledge", { path: { id: alarm.id }, body: { note, ...(clear && { clear }) } });
      return t("alarm.acknowledged");
    },
  });
}

function columns(): Column<Alarm>[] {
  return [
    { head: t("column.when"), cell: (each) => <When at={each.raisedAt} /> },
    { head: t("column.kind"), cell: (each) => <span class="long"><strong>{each.message}</strong><br /><a href={each.runbook} target="_blank" rel="noopener">{t("alarm.runbook")}</a></span> },
    { head: t("column.about"), cell: (each) => <span class="long"><code>{each.about}</code></span> },
    { head: t("alarm.facts"), cell: (each) => <span class="long">{each.facts.map((fact) => <span key={fact.name}>{fact.name}: <code>{fact.value}</code><br /></span>)}</span> },
    { head: t("alarm.seen"), number: true, cell: (each) => String(each.seen) },
    { head: t("alarm.last"), cell: (each) => <When at={each.lastSeenAt} /> },
    { head: t("column.status"), cell: (each) => <Status of={each.clearedAt !== null ? "cleared" : each.acknowledgedAt !== null ? "acknowledged" : "raised"} /> },
    { head: t("column.by"), cell: (each) => (each.acknowledgedBy === null ? "" : <><Address of={each.acknowledgedBy} /> {each.note}</>) },
    { head: t("column.acts"), cell: (each) => (may("admin:write") && each.clearedAt === null ? <button type="button" class="acknowledge" onClick={() => acknowledge(each)}>{t("alarm.acknowledge.act")}</button> : "") },
  ];
}

async function read(query: Query) {
  const found = await api.get("/admin/alarms", { query: { state: "open", ...query } });
  return { ...found, rows: found.alarms };
}

export default function Alarms() {
  return (
    <>
      <h1>{t("nav.alarms")}</h1>
      <List view="alarms" title={t("nav.alarms")} columns={columns()} id={(each) => each.id} empty={t("alarms.none")} read={read} sheet={(query) => api.sheet("/admin/alarms", { query: { state: "open", ...query } })}
        filters={[
          { name: "state", label: t("column.status"), nothing: t("alarms.open"), options: [["cleared", t("status.cleared")]] },
          { name: "kind", label: t("column.kind") }, { name: "about", label: t("column.about") },
          { name: "from", label: t("filter.from"), kind: "day" }, { name: "to", label: t("filter.to"), kind: "day" },
        ]} />
    </>
  );
}
