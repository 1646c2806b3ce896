import { to } from "../../shared/route";
import { ListView } from "../list";
import { Status, When } from "../parts";
import { t } from "../text";

export default function Players() {
  return (
    <ListView view="players" path="/admin/players" rows={(found) => found.players}
      title={t("nav.players")} id={(each) => each.wallet} empty={t("players.none")} columns={[
      { head: t("column.player"), cell: (each) => <a href={to("players", each.wallet)}><code>{each.wallet}</code></a> },
      { head: t("column.agent"), cell: (each) => each.agentCode },
      { head: t("column.status"), cell: (each) => <Status of={each.status} /> },
      { head: t("column.since"), cell: (each) => <When at={each.createdAt} /> },
    ]} filters={[{ name: "wallet", label: t("column.wallet") }, { name: "agentCode", label: t("column.agent") }]} />
  );
}
