// All data of one player, and the actions that the role allows.

import { api } from "../../shared/api";
import { to } from "../../shared/route";
import { Fact, Facts, Loading, Status, When } from "../parts";
import { readPast } from "../past";
import { PastView } from "../past-view";
import { PlayerActs } from "../player-acts";
import { useRead } from "../read";
import { amount, symbol } from "../store";
import { Table } from "../table";
import { t, type Text } from "../text";

export default function Player({ id }: { id: string }) {
  const [found, failure] = useRead(async () => {
    const [player, past] = await Promise.all([api.get("/admin/players/{wallet}", { path: { wallet: id } }), readPast(id)]);
    return { player, past };
  }, id);
  if (found === null) return <Loading failure={failure} />;
  const { player, past } = found;
  const until = player.exclusion.until;
  return (
    <>
      <p><a href={to("players")}>← {t("nav.players")}</a></p>
      <h1>{t("column.player")} <Status of={player.status} /></h1>
      <div class="panel" id="player">
        <Facts>
          <Fact name={t("column.wallet")}><code>{player.wallet}</code></Fact>
          <Fact name={t("column.agent")}>{player.agentCode}</Fact>
          <Fact name={t("column.since")}><When at={player.createdAt} /></Fact>
          {player.exclusion.permanent && <Fact name={t("player.excluded")}>{t("player.forever")}</Fact>}
          {until !== null && <Fact name={t("player.excluded")}><When at={until} /></Fact>}
          {player.balances.map((each) => <Fact key={each.token} name={t("player.balance", { token: symbol(each.token) })}>{amount(each.balance, each.token)}</Fact>)}
          {player.owed.map((each) => <Fact key={each.token} name={t("player.owed")}><span class="loss">{amount(each.balance, each.token)}</span></Fact>)}
        </Facts>
      </div>
      <PlayerActs player={player} />
      <h2>{t("player.limits")}</h2>
      <Table title={t("player.limits")} rows={player.limits} id={(each) => `${each.kind} ${each.period} ${each.token} ${each.by} ${each.effectiveAt}`} empty={t("player.unlimited")} columns={[
        { head: t("column.kind"), cell: (each) => t(`limit.${each.kind}` as Text) },
        { head: t("player.period"), cell: (each) => t(`limit.${each.period}` as Text) },
        { head: t("amount"), number: true, cell: (each) => (each.amount === null ? t("player.ends") : amount(each.amount, each.token)) },
        { head: t("column.by"), cell: (each) => t(each.by === "player" ? "column.player" : "player.operator") },
        { head: t("player.from"), cell: (each) => <When at={each.effectiveAt} /> },
      ]} />
      <h2>{t("player.open")}</h2>
      <Table title={t("player.open")} rows={player.openWithdrawals} id={(each) => each.id} empty={t("withdrawals.none")} columns={[
        { head: t("column.when"), cell: (each) => <a href={to("withdrawals", each.id)}><When at={each.createdAt} /></a> },
        { head: t("amount"), number: true, cell: (each) => amount(each.amount, each.token) },
        { head: t("column.status"), cell: (each) => <Status of={each.status} /> },
      ]} />
      <PastView past={past} wallet={player.wallet} />
    </>
  );
}
