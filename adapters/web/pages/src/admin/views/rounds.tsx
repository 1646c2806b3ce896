import { times } from "../../shared/money";
import { days } from "../filters";
import { ListView } from "../list";
import { Address, When } from "../parts";
import { amount } from "../store";
import { t } from "../text";
import { tokenOptions } from "../token";

export default function Rounds() {
  return (
    <ListView view="rounds" path="/admin/games" rows={(found) => found.rounds}
      title={t("nav.rounds")} id={(each) => each.id} empty={t("rounds.none")} columns={[
      { head: t("column.when"), cell: (each) => <When at={each.createdAt} /> },
      { head: t("column.game"), cell: (each) => each.gameType },
      { head: t("column.provider"), cell: (each) => each.provider },
      { head: t("column.player"), cell: (each) => <Address of={each.wallet} link /> },
      { head: t("column.agent"), cell: (each) => each.agentCode },
      { head: t("wager"), number: true, cell: (each) => amount(each.wager, each.token) },
      { head: t("column.times"), number: true, cell: (each) => times(each.multiplier) },
      { head: t("column.payout"), number: true, cell: (each) => <span class={BigInt(each.payout) > BigInt(each.wager) ? "gain" : ""}>{amount(each.payout, each.token)}</span> },
      { head: t("column.id"), cell: (each) => <code>{each.id}</code> },
    ]} filters={[
      { name: "wallet", label: t("column.player") }, { name: "gameType", label: t("column.game") },
      { name: "token", label: t("token"), options: tokenOptions() },
      { name: "agentCode", label: t("column.agent") }, ...days(),
    ]} />
  );
}
