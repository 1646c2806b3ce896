// The player's own statistics: this sitting, and all rounds at the house's games, which are read
// page by page while the browser has nothing else to do.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { DayChart } from "../../shared/day-chart";
import { language, t } from "../../shared/i18n";
import { tone } from "../../shared/money";
import { idle } from "../../shared/idle";
import { complain } from "../../shared/notices";
import { to } from "../../shared/route";
import { session } from "../../shared/session";
import { Choice } from "../frame";
import { titleOf } from "../names";
import { Net } from "../net";
import { SittingPanel } from "../reminder";
import { amount, signedAmount, terms, token } from "../store";
import { Private } from "./private";
import "./statistics.css";
import { count, daysOf, type Sum, type Tally } from "./tally";

const PAGE = 100;
const PORTION = 2000; // rounds that are read without being asked for more

export default function Statistics() {
  return (
    <Private title={t("statistics")}>
      <SittingPanel />
      <AllTime key={session.value?.wallet} />
    </Private>
  );
}

interface Progress {
  tallies: Map<string, Tally>;
  counted: number;
  cursor: string | null;
  done: boolean;
}

/** All rounds up to a number, counted as they come. */
function useTallies(wanted: number): Progress {
  const [progress, set] = useState<Progress>({ tallies: new Map(), counted: 0, cursor: "", done: false });
  const latest = useRef(progress);
  useEffect(() => {
    let stopped = false;
    const read = async () => {
      for (let now = latest.current; !stopped && now.cursor !== null && now.counted < wanted; now = latest.current) {
        await idle();
        const page: { rounds: Schemas["Round"][]; nextCursor: string | null } = await api.get("/history", { query: { limit: PAGE, ...(now.cursor !== "" && { cursor: now.cursor ?? "" }) } });
        if (stopped) return;
        count(now.tallies, page.rounds);
        latest.current = { tallies: new Map(now.tallies), counted: now.counted + page.rounds.length, cursor: page.nextCursor, done: false };
        set(latest.current);
      }
      if (!stopped) set((latest.current = { ...latest.current, done: true }));
    };
    read().catch(complain);
    return () => void (stopped = true);
  }, [wanted]);
  return progress;
}

function AllTime() {
  const [wanted, setWanted] = useState(PORTION);
  const { tallies, counted, cursor, done } = useTallies(wanted);
  const mints = [...tallies.keys()];
  const [chosen, choose] = useState<string | null>(null);
  const mint = chosen ?? mints.find((each) => each === token.value?.token) ?? mints[0];
  const tally = mint === undefined ? undefined : tallies.get(mint);
  if (done && counted === 0) return <section class="panel"><h2>{t("statistics.all")}</h2><p>{t("statistics.none")}</p><a class="button primary" href="#/">{t("statistics.play")}</a></section>;
  return (
    <section class="panel" id="all-time" data-counted={counted} data-done={done}>
      <h2>{t("statistics.all")}</h2>
      <p class="muted" role="status">{t(!done ? "statistics.reading" : cursor === null ? "statistics.whole" : "statistics.part", { counted: counted.toLocaleString(language.value) })}</p>
      {done && cursor !== null && <button type="button" onClick={() => setWanted(wanted + PORTION)}>{t("statistics.more", { more: PORTION.toLocaleString(language.value) })}</button>}
      {mints.length > 1 && mint !== undefined && <Choice label={t("token")} options={mints} value={mint} onChange={choose} name={(each) => terms(each)?.symbol ?? each.slice(0, 4)} />}
      {mint !== undefined && tally !== undefined && <Sums mint={mint} tally={tally} counted={counted} />}
    </section>
  );
}

function Sums({ mint, tally, counted }: { mint: string; tally: Tally; counted: number }) {
  const days = useMemo(() => daysOf(tally), [tally, counted]);
  const games = [...tally.games].sort((a, b) => b[1].rounds - a[1].rounds);
  const of = terms(mint);
  return (
    <>
      <div class="facts">
        <div class="fact"><span class="muted">{t("statistics.rounds")}</span><strong>{tally.all.rounds.toLocaleString(language.value)}</strong></div>
        <div class="fact"><span class="muted">{t("sitting.wagered")}</span><strong>{amount(tally.all.wagered, mint)}</strong></div>
        <div class="fact"><span class="muted">{t("column.net")}</span><Net of={tally.all.net} token={mint} /></div>
      </div>
      <h3>{t("statistics.days")} ({of?.symbol})</h3>
      <DayChart label={t("statistics.chart")} name={t("column.net")} decimals={of?.decimals ?? 0} above="gain"
        bars={days.map(([day, sum]) => ({ day, value: sum?.net ?? 0n, text: signedAmount(sum?.net ?? 0n, mint) }))} />
      <Table head={t("column.day")} mint={mint} rows={days.filter(([, sum]) => sum !== null).reverse().map(([day, sum]) => [day, new Date(`${day}T12:00`).toLocaleDateString(language.value, { dateStyle: "short" }), sum as Sum])} />
      <h3>{t("statistics.games")} ({of?.symbol})</h3>
      <Table head={t("column.game")} mint={mint} link rows={games.map(([game, sum]) => [game, titleOf(game), sum])} />
    </>
  );
}

function Table({ head, mint, rows, link }: { head: string; mint: string; rows: [string, string, Sum][]; link?: boolean }) {
  const symbol = terms(mint)?.symbol ?? "";
  const bare = (text: string) => text.replace(` ${symbol}`, ""); // the heading has it
  return (
    <div class="scroll sums" tabIndex={0} role="region" aria-label={head}>
      <table>
        <thead><tr><th scope="col">{head}</th><th scope="col" class="number">{t("statistics.rounds")}</th><th scope="col" class="number">{t("sitting.wagered")}</th><th scope="col" class="number">{t("column.net")}</th></tr></thead>
        <tbody>
          {rows.map(([key, name, sum]) => (
            <tr key={key}>
              <th scope="row">{link === true ? <a href={to("game", key)}>{name}</a> : name}</th>
              <td class="number">{sum.rounds.toLocaleString(language.value)}</td>
              <td class="number">{bare(amount(sum.wagered, mint))}</td>
              <td class={`number ${tone(sum.net)}`}>{bare(signedAmount(sum.net, mint))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
