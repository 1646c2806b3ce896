// The state of the business, revenue by day, and current play.

import { signal } from "@preact/signals";
import { useEffect, useId, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { listen } from "../../shared/events";
import type { Integer } from "../../shared/json";
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
import { WaitingList } from "../waiting-list";

type Line = Schemas["Overview"]["tokens"][number];

function columns(): Column<Line>[] {
  const of = (line: Line, units: number | bigint | null) => (units === null ? t("unknown") : amount(units, line.token));
  const business: Column<Line>[] = [
    { head: t("token"), cell: (line) => <strong>{symbol(line.token)}</strong> },
    { head: t("column.wagered"), number: true, cell: (line) => of(line, line.wagered) },
    { head: t("column.paid"), number: true, cell: (line) => of(line, line.paid) },
    { head: t("column.ggr"), number: true, cell: (line) => of(line, line.ggr) },
    { head: t("column.liabilities"), number: true, cell: (line) => of(line, line.liabilities) },
    { head: t("column.held"), number: true, cell: (line) => of(line, line.held) },
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
  const [days, setDays] = useState<number>(30);
  const [measure, setMeasure] = useState<Measure>("ggr");
  const ids = [useId(), useId(), useId()] as const;
  const mint = token ?? played ?? tokens.value[0]?.token;
  const [found] = useRead(async () => (mint === undefined ? null : api.get("/admin/metrics/ggr-daily", { query: { days, token: mint } })), mint, days);
  if (mint === undefined) return null;
  const say = (of: Measure, day: Day) => (of === "rounds" ? figure(day.rounds) : amount(day[of], mint));
  const names = Object.keys(MEASURES) as Measure[];
  return (
    <section class="panel" id="revenue">
      <div class="row">
        <h2>{t("overview.ggr")}</h2>
        <div class="field"><label for={ids[0]}>{t("token")}</label><select id={ids[0]} value={mint} onChange={(e) => setToken(e.currentTarget.value)}>{tokens.value.map((each) => <option key={each.token} value={each.token}>{each.symbol}</option>)}</select></div>
        <div class="field"><label for={ids[1]}>{t("overview.span")}</label><select id={ids[1]} value={days} onChange={(e) => setDays(Number(e.currentTarget.value))}>{SPANS.map((each) => <option key={each} value={each}>{counted("overview.days", each)}</option>)}</select></div>
        <div class="field"><label for={ids[2]}>{t("chart.measure")}</label><select id={ids[2]} class="measure" value={measure} onChange={(e) => setMeasure(e.currentTarget.value as Measure)}>{names.map((each) => <option key={each} value={each}>{t(MEASURES[each])}</option>)}</select></div>
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

interface Heard {
  rounds: number;
  wagered: Record<string, bigint>;
  paid: Record<string, bigint>;
}

const nothing: Heard = { rounds: 0, wagered: {}, paid: {} };
const live = signal<Heard>(nothing);

/** Settled rounds, counted since this view was opened. */
function Live() {
  useEffect(() => {
    live.value = nothing;
    const until = new AbortController();
    void listen(until.signal, () => {}, (event) => {
      const round = event.data as { token: string; wager: number | bigint; payout: number | bigint };
      const { rounds, wagered, paid } = live.value;
      live.value = {
        rounds: rounds + 1,
        wagered: { ...wagered, [round.token]: (wagered[round.token] ?? 0n) + BigInt(round.wager) },
        paid: { ...paid, [round.token]: (paid[round.token] ?? 0n) + BigInt(round.payout) },
      };
    }, "/admin/events?types=round.settled");
    return () => until.abort();
  }, []);
  const { rounds, wagered, paid } = live.value;
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
