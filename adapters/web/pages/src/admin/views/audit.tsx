import { api, type Schemas } from "../../shared/api";
import { List, type Query } from "../list";
import { Address, When } from "../parts";
import type { Column } from "../table";
import { t } from "../text";

type Entry = Schemas["AuditRecord"];

function columns(): Column<Entry>[] {
  return [
    { head: t("column.when"), cell: (each) => <When at={each.createdAt} /> },
    { head: t("column.action"), cell: (each) => <code>{each.action}</code> },
    { head: t("column.by"), cell: (each) => (each.by === null ? t("audit.service") : <Address of={each.by} />) },
    { head: t("column.target"), cell: (each) => <span class="long"><code>{each.target}</code></span> },
    { head: t("audit.before"), cell: (each) => <span class="long">{each.before ?? ""}</span> },
    { head: t("audit.after"), cell: (each) => <span class="long">{each.after ?? ""}</span> },
  ];
}

async function read(query: Query) {
  const found = await api.get("/admin/audit", { query });
  return { ...found, rows: found.records };
}

export default function Audit() {
  return (
    <>
      <h1>{t("nav.audit")}</h1>
      <p class="muted">{t("audit.explain")}</p>
      <List view="audit" title={t("nav.audit")} columns={columns()} id={(each) => each.id} empty={t("audit.none")} read={read} sheet={(query) => api.sheet("/admin/audit", { query })}
        filters={[
          { name: "by", label: t("column.by") }, { name: "target", label: t("column.target") }, { name: "action", label: t("column.action") },
          { name: "part", label: t("audit.part"), nothing: t("audit.admins"), options: [["players", t("audit.players")], ["all", t("filter.all")]] },
          { name: "from", label: t("filter.from"), kind: "day" }, { name: "to", label: t("filter.to"), kind: "day" },
        ]} />
    </>
  );
}
