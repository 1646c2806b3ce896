// Actual and expected returns of games, and the games on offer with their switches.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { Select } from "../../shared/fields";
import { ask } from "../confirm";
import { List } from "../list";
import { may } from "../me";
import { Status, When } from "../parts";
import { useRead } from "../read";
import { amount, symbol } from "../store";
import { Sheet } from "../sheet";
import { Table } from "../table";
import { counted, t } from "../text";

type Game = Schemas["ProviderGame"];

/** A share such as 0.990000 in percent, digit by digit. */
function percent(share: string): string {
  const [whole = "0", fraction = ""] = share.split(".");
  const digits = fraction.padEnd(6, "0");
  const hundreds = (whole + digits.slice(0, 2)).replace(/^0+(?=\d)/, "");
  return `${hundreds}.${digits.slice(2)} %`;
}

const SPANS = [1, 7, 30, 366] as const;

function Returns() {
  const [days, setDays] = useState<(typeof SPANS)[number]>(30);
  const [found, failure] = useRead(() => api.get("/admin/metrics/rtp", { query: { days } }), days);
  return (
    <section id="returns">
      <div class="row">
        <h2>{t("games.returns")}</h2>
        <Select label={t("overview.span")} value={days} options={SPANS.map((each) => [each, counted("overview.days", each)])} onChange={setDays} />
      </div>
      <p class="muted">{t("games.returns.explain")}</p>
      <Table title={t("games.returns")} rows={found?.games ?? null} id={(each) => `${each.provider} ${each.gameType} ${each.token}`} empty={t("games.unplayed")} failure={failure} columns={[
        { head: t("column.game"), cell: (each) => each.gameType },
        { head: t("column.provider"), cell: (each) => each.provider },
        { head: t("token"), cell: (each) => symbol(each.token) },
        { head: t("overview.rounds"), number: true, cell: (each) => String(each.rounds) },
        { head: t("column.wagered"), number: true, cell: (each) => amount(each.wagered, each.token) },
        { head: t("column.paid"), number: true, cell: (each) => amount(each.paid, each.token) },
        { head: t("games.rtp"), number: true, cell: (each) => percent(each.rtp) },
        { head: t("games.theoretical"), number: true, cell: (each) => (each.theoreticalRtp === null ? t("unknown") : percent(each.theoreticalRtp)) },
        { head: t("games.margin"), number: true, cell: (each) => (each.margin === null ? t("unknown") : `± ${percent(each.margin)}`) },
        { head: t("column.status"), cell: (each) => <Status of={each.status} /> },
      ]} />
      <p class="row"><Sheet name="rtp" read={() => api.sheet("/admin/metrics/rtp", { query: { days } })} /></p>
    </section>
  );
}

function turn(game: Game): void {
  ask({
    title: t(game.enabled ? "games.off" : "games.on"), act: t(game.enabled ? "games.off.act" : "games.on.act"), danger: game.enabled, text: "reason",
    children: <p>{t(game.enabled ? "games.off.happens" : "games.on.happens", { name: game.name })}</p>,
    run: (reason) => api.patch("/admin/provider-games/{gameCode}", { path: { gameCode: game.gameCode }, body: { enabled: !game.enabled, reason } }),
    done: t(game.enabled ? "games.turned.off" : "games.turned.on", { name: game.name }),
  });
}

export default function Games() {
  return (
    <>
      <h1>{t("nav.games")}</h1>
      <Returns />
      <h2>{t("games.offer")}</h2>
      <List view="games" path="/admin/provider-games" rows={(found) => found.games} title={t("games.offer")} id={(each) => each.gameCode} empty={t("games.none")} columns={[
        { head: t("column.game"), cell: (each) => each.name },
        { head: t("column.id"), cell: (each) => <code>{each.gameCode}</code> },
        { head: t("column.provider"), cell: (each) => each.provider },
        { head: t("column.status"), cell: (each) => <><Status of={each.enabled ? "enabled" : "disabled"} />{each.vanished && <> <Status of="vanished" /></>}</> },
        { head: t("column.changed"), cell: (each) => <When at={each.updatedAt} /> },
        { head: t("column.acts"), cell: (each) => (may("admin:write") ? <button type="button" class="switch" onClick={() => turn(each)}>{t(each.enabled ? "games.off.act" : "games.on.act")}</button> : "") },
      ]} filters={[
        { name: "q", label: t("games.name") }, { name: "provider", label: t("column.provider") },
        { name: "enabled", label: t("column.status"), options: [["true", t("status.enabled")], ["false", t("status.disabled")]] },
      ]} />
    </>
  );
}
