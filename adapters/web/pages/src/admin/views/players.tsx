import { api, type Schemas } from "../../shared/api";
import { to } from "../../shared/route";
import { List, type Query } from "../list";
import { Status, When } from "../parts";
import type { Column } from "../table";
import { t } from "../text";

type Player = Schemas["Player"];

function columns(): Column<Player>[] {
  return [
    { head: t("column.player"), cell: (each) => <a href={to("players", each.wallet)}><code>{each.wallet}</code></a> },
    { head: t("column.agent"), cell: (each) => each.agentCode },
    { head: t("column.status"), cell: (each) => <Status of={each.status} /> },
    { head: t("column.since"), cell: (each) => <When at={each.createdAt} /> },
  ];
}

async function read(query: Query) {
  const found = await api.get("/admin/players", { query });
  return { ...found, rows: found.players };
}

export default function Players() {
  return (
    <>
      <h1>{t("nav.players")}</h1>
      <List view="players" title={t("nav.players")} columns={columns()} id={(each) => each.wallet} empty={t("players.none")} read={read} sheet={(query) => api.sheet("/admin/players", { query })}
        filters={[{ name: "wallet", label: t("column.wallet") }, { name: "agentCode", label: t("column.agent") }]} />
    </>
  );
}
