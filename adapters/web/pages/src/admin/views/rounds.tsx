import { api, type Schemas } from "../../shared/api";
import { times } from "../../shared/money";
import { List, type Query } from "../list";
import { Address, When } from "../parts";
import { amount, tokens } from "../store";
import type { Column } from "../table";
import { t } from "../text";

type Round = Schemas["AdminRound"];

function columns(): Column<Round>[] {
  return [
    { head: t("column.when"), cell: (each) => <When at={each.createdAt} /> },
    { head: t("column.game"), cell: (each) => each.gameType },
    { head: t("column.provider"), cell: (each) => each.provider },
    { head: t("column.player"), cell: (each) => <Address of={each.wallet} link /> },
    { head: t("column.agent"), cell: (each) => each.agentCode },
    { head: t("wager"), number: true, cell: (each) => amount(each.wager, each.token) },
    { head: t("column.times"), number: true, cell: (each) => times(each.multiplier) },
    { head: t("column.payout"), number: true, cell: (each) => <span class={BigInt(each.payout) > BigInt(each.wager) ? "gain" : ""}>{amount(each.payout, each.token)}</span> },
    { head: t("column.id"), cell: (each) => <code>{each.id}</code> },
  ];
}

async function read(query: Query) {
  const found = await api.get("/admin/games", { query });
  return { ...found, rows: found.rounds };
}

export default function Rounds() {
  return (
    <>
      <h1>{t("nav.rounds")}</h1>
      <List view="rounds" title={t("nav.rounds")} columns={columns()} id={(each) => each.id} empty={t("rounds.none")} read={read} sheet={(query) => api.sheet("/admin/games", { query })}
        filters={[
          { name: "wallet", label: t("column.player") }, { name: "gameType", label: t("column.game") },
          { name: "token", label: t("token"), options: tokens.value.map((each) => [each.token, each.symbol]) },
          { name: "agentCode", label: t("column.agent") }, { name: "from", label: t("filter.from"), kind: "day" }, { name: "to", label: t("filter.to"), kind: "day" },
        ]} />
    </>
  );
}
