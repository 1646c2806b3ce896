// The state of the business, revenue by day, and current play.

import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { listen } from "../../shared/events";
import { Select } from "../../shared/fields";
import type { Integer } from "@casino-service/client";
import { to } from "../../shared/route";
import { filtered } from "../filters";
import { Chart } from "../chart";
import { bound } from "../me";
import { Fact, Facts, Loading } from "../parts";
import { useRead } from "../read";
import { Sheet } from "../sheet";
import { amount, symbol, terms, tokens } from "../store";
import { Table, type Column } from "../table";
import { counted, figure, t, type Text } from "../text";
import { Token } from "../token";
import { WaitingList } from "../waiting-list";

type Line = Schemas["Overview"]["tokens"][number];

function columns(): Column<Line>[] {
  const of = (line: Line, units: number | bigint | null) => (units === null ? t("unknown") : amount(units, line.token));
  const business: Column<Line>[] = [
    { head: t("token"), cell: (line) => <strong>{symbol(line.token)}</strong> },
    ...(["wagered", "paid", "ggr", "liabilities", "held"] as const).map((name) => ({ head: t(`column.${name}`), number: true, cell: (line: Line) => of(line, line[name]) })),
  ];
  if (bound()) return business;
  return [
    ...business,
    { head: t("column.treasury"), number: true, cell: (line) => of(line, line.treasury) },
    { head: t("column.difference"), number: true, cell: (line) => <span class={line.difference !== null && BigInt(line.difference) !== 0n ? "loss" : ""}>{of(line, line.difference)}</span> },
    { head: t("column.solvent"), cell: (line) => (line.solvent === null ? t("unknown") : line.solvent ? <span class="gain">{t("yes")}</span> : <strong class="loss">{t("no")}</strong>) },
  ];
}

export default function Overview() {
  const [found, failure] = useRead(() => api.get("/admin/overview"));
  if (found === null) return <Loading failure={failure} />;
  const open = found.withdrawals;
  return (
    <>
      <h1>{t("nav.overview")}</h1>
      <WaitingList />
      <div class="panel">
        <Facts>
          <Fact name={t("overview.players")}><a href={to("players")}>{figure(found.players)}</a></Fact>
          <Fact name={t("overview.rounds")}><a href={to("rounds")}>{figure(found.rounds)}</a></Fact>
          <Fact name={t("overview.agents")}><a href={to("agents")}>{figure(found.agents)}</a></Fact>
          <Fact name={t("overview.games")}><a href={to("games")}>{figure(found.providerGames)}</a></Fact>
          <Fact name={t("overview.pending")}><a href={to("withdrawals")}>{figure(open.pending)}</a></Fact>
          <Fact name={t("overview.approved")}><a href={filtered("withdrawals", { status: "approved" })}>{figure(open.approved)}</a></Fact>
          <Fact name={t("overview.sending")}><a href={filtered("withdrawals", { status: "sending" })}>{figure(open.sending)}</a></Fact>
          <Fact name={t("overview.failed")}><a class={Number(open.failed) > 0 ? "loss" : ""} href={filtered("withdrawals", { status: "failed" })}>{figure(open.failed)}</a></Fact>
        </Facts>
      </div>
      <Live />
      <Revenue played={found.tokens.find((line) => BigInt(line.wagered) > 0n)?.token} />
      <h2>{t("overview.tokens")}</h2>
      <Table title={t("overview.tokens")} columns={columns()} rows={found.tokens} id={(line) => line.token} empty={t("overview.none")} />
    </>
  );
}

const SPANS = [7, 30, 90] as const;

type Day = Record<Measure, Integer>;

const MEASURES = { ggr: "column.ggr", wagered: "column.wagered", paid: "column.paid", rounds: "overview.rounds" } as const satisfies Record<string, Text>;
type Measure = keyof typeof MEASURES;

/** Begins with a token that is in play. */
function Revenue({ played }: { played: string | undefined }) {
  const [token, setToken] = useState<string | null>(null);
  const [days, setDays] = useState<(typeof SPANS)[number]>(30);
  const [measure, setMeasure] = useState<Measure>("ggr");
  const mint = token ?? played ?? tokens.value[0]?.token;
  const [found] = useRead(async () => (mint === undefined ? null : api.get("/admin/metrics/ggr-daily", { query: { days, token: mint } })), mint, days);
  if (mint === undefined) return null;
  const say = (of: Measure, day: Day) => (of === "rounds" ? figure(day.rounds) : amount(day[of], mint));
  const names = Object.keys(MEASURES) as Measure[];
  return (
    <section class="panel" id="revenue">
      <div class="row">
        <h2>{t("overview.ggr")}</h2>
        <Token value={mint} onChange={setToken} />
        <Select label={t("overview.span")} value={days} options={SPANS.map((each) => [each, counted("overview.days", each)])} onChange={setDays} />
        <Select label={t("chart.measure")} class="measure" value={measure} options={names.map((each) => [each, t(MEASURES[each])])} onChange={setMeasure} />
      </div>
      {found !== null && (
        <Chart label={`${t(MEASURES[measure])}${measure === "rounds" ? "" : `, ${symbol(mint)}`}`} decimals={measure === "rounds" ? 0 : terms(mint)?.decimals ?? 0}
          bars={found.metrics.map((each) => ({ day: each.date, value: each[measure], text: say(measure, each) }))}
          columns={names.map((of) => ({ head: t(MEASURES[of]), number: true, cell: (at: number) => { const day = found.metrics[at]; return day === undefined ? "" : say(of, day); } }))} />
      )}
      <p class="row"><Sheet name="ggr-daily" read={() => api.sheet("/admin/metrics/ggr-daily", { query: { days, token: mint } })} /></p>
    </section>
  );
}

const nothing = { rounds: 0, wagered: {} as Record<string, bigint>, paid: {} as Record<string, bigint> };

/** Settled rounds, counted since this view was opened. */
function Live() {
  const [{ rounds, wagered, paid }, set] = useState(nothing);
  useEffect(() => {
    const until = new AbortController();
    void listen(until.signal, () => {}, (event) => {
      const round = event.data as { token: string; wager: number | bigint; payout: number | bigint };
      set(({ rounds, wagered, paid }) => ({
        rounds: rounds + 1,
        wagered: { ...wagered, [round.token]: (wagered[round.token] ?? 0n) + BigInt(round.wager) },
        paid: { ...paid, [round.token]: (paid[round.token] ?? 0n) + BigInt(round.payout) },
      }));
    }, "/admin/events?types=round.settled");
    return () => until.abort();
  }, []);
  return (
    <section class="panel" id="live" aria-label={t("live")}>
      <Facts>
        <Fact name={t("live.rounds")}><span data-live={rounds}>{figure(rounds)}</span></Fact>
        {Object.keys(wagered).map((token) => (
          <Fact key={token} name={t("live.ggr", { token: symbol(token) })}>{amount((wagered[token] ?? 0n) - (paid[token] ?? 0n), token)}</Fact>
        ))}
      </Facts>
    </section>
  );
}
