// Alarms: listed with instructions, and acknowledged by an admin.

import { api, type Schemas } from "../../shared/api";
import { ask } from "../confirm";
import { days } from "../filters";
import { ListView } from "../list";
import { may } from "../me";
import { Address, Status, When } from "../parts";
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
    run: (note) => api.post("/admin/alarms/{id}/acknowledge", { path: { id: alarm.id }, body: { note, ...(clear && { clear }) } }),
    done: t("alarm.acknowledged"),
  });
}

export default function Alarms() {
  return (
    <ListView view="alarms" path="/admin/alarms" rows={(found) => found.alarms} asked={{ state: "open" }}
      title={t("nav.alarms")} id={(each) => each.id} empty={t("alarms.none")} columns={[
      { head: t("column.when"), cell: (each) => <When at={each.raisedAt} /> },
      { head: t("column.kind"), cell: (each) => <span class="long"><strong>{each.message}</strong><br /><a href={each.runbook} target="_blank" rel="noopener">{t("alarm.runbook")}</a></span> },
      { head: t("column.about"), cell: (each) => <span class="long"><code>{each.about}</code></span> },
      { head: t("alarm.facts"), cell: (each) => <span class="long">{each.facts.map((fact) => <span key={fact.name}>{fact.name}: <code>{fact.value}</code><br /></span>)}</span> },
      { head: t("alarm.seen"), number: true, cell: (each) => String(each.seen) },
      { head: t("alarm.last"), cell: (each) => <When at={each.lastSeenAt} /> },
      { head: t("column.status"), cell: (each) => <Status of={each.clearedAt !== null ? "cleared" : each.acknowledgedAt !== null ? "acknowledged" : "raised"} /> },
      { head: t("column.by"), cell: (each) => (each.acknowledgedBy === null ? "" : <><Address of={each.acknowledgedBy} /> {each.note}</>) },
      { head: t("column.acts"), cell: (each) => (may("admin:write") && each.clearedAt === null ? <button type="button" class="acknowledge" onClick={() => acknowledge(each)}>{t("alarm.acknowledge.act")}</button> : "") },
    ]} filters={[
      { name: "state", label: t("column.status"), nothing: t("alarms.open"), options: [["cleared", t("status.cleared")]] },
      { name: "kind", label: t("column.kind") }, { name: "about", label: t("column.about") },
      ...days(),
    ]} />
  );
}
