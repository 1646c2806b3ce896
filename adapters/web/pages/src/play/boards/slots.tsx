// Slots: five reels that stop one after the other, the lines that pay drawn over them, free spins
// one by one, and the paytable.

import { useEffect, useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { Frame } from "../frame";
import { still } from "../motion";
import type { Round } from "../store";
import type { Table } from "../table";
import { Symbol } from "./slot-symbols";
import "./slots.css";

interface Line { line: number; symbol: string; count: number; pays: number }
export interface Spin { window: string[][]; lines: Line[]; freeSpins?: Spin[] }
interface Rules { lines: number[][]; pays: { symbol: string; pays: number[] }[]; freeSpins: number[]; freeFactor: number }

const FIRST: string[][] = [["crown", "seven", "bell", "plum", "lemon"], ["diamond", "wild", "seven", "crown", "grapes"], ["plum", "bell", "scatter", "lemon", "diamond"]];
const SPIN_MS = 1300;
const SCATTER = 0; // the line of wins that pay anywhere

function spinsOf(round: Round | null): Spin[] {
  const first = (round?.outcome ?? { window: FIRST, lines: [] }) as unknown as Spin;
  return [first, ...(first.freeSpins ?? [])];
}

const motion = (round: Round) => SPIN_MS * spinsOf(round).length;

export default function Slots({ table }: { table: Table }) {
  const round = table.last.value;
  const spins = spinsOf(round);
  const [shown, setShown] = useState(0);
  const rules = table.game.table as unknown as Rules | null;
  const over = table.revealed.value;
  useEffect(() => {
    setShown(0);
    if (round === null || still()) return undefined;
    const timer = setInterval(() => setShown((now) => Math.min(now + 1, spins.length - 1)), SPIN_MS);
    return () => clearInterval(timer);
  }, [round?.id]);
  useEffect(() => {
    if (over && round !== null && !still()) setShown(spins.length - 1);
  }, [over]);
  const current = spins[Math.min(shown, spins.length - 1)]!;
  const resting = over || shown < spins.length - 1;
  const lit = (row: number, reel: number) => resting && current.lines.some((each) => (each.line === SCATTER
    ? current.window[row]?.[reel] === each.symbol
    : reel < each.count && rules?.lines[each.line - 1]?.[reel] === row));
  return (
    <Frame table={table} betLabel={t("slots.spin")} onBet={() => table.play({})} motion={motion}>
      <div class="slots">
        <div class="reels" role="img" aria-label={current.window.map((row) => row.join(" ")).join("; ")}>
          {[0, 1, 2, 3, 4].map((reel) => (
            <div key={`${round?.id}.${shown}.${reel}`} class={`reel ${round === null ? "" : "turned"}`} style={{ "--reel": `${reel}` }}>
              {current.window.map((row, r) => <span key={r} class={`symbol ${lit(r, reel) ? "lit" : ""}`}><Symbol name={row[reel] ?? ""} /></span>)}
            </div>
          ))}
          {over && <WonLines spin={current} rules={rules} />}
        </div>
        <p class="lines" role="status">{over && current.lines.map((each) => `${each.count} × ${t(`symbol.${each.symbol}` as "symbol.wild")} ${times(each.pays)}`).join(" · ")}</p>
        {spins.length > 1 && (
          <p class="row">
            <button type="button" disabled={!over || shown === 0} onClick={() => setShown(shown - 1)} aria-label={t("slots.before")}>←</button>
            <span>{shown === 0 ? t("slots.first") : t("slots.free", { number: shown, of: spins.length - 1 })}</span>
            <button type="button" disabled={!over || shown === spins.length - 1} onClick={() => setShown(shown + 1)} aria-label={t("slots.next")}>→</button>
          </p>
        )}
      </div>
      {rules !== null && <Paytable rules={rules} />}
    </Frame>
  );
}

/** The winning lines, drawn from reel to reel. */
function WonLines({ spin, rules }: { spin: Spin; rules: Rules | null }) {
  const lines = spin.lines.filter((each) => each.line !== SCATTER);
  return (
    <svg class="won-lines" viewBox="0 0 50 30" preserveAspectRatio="none" aria-hidden="true">
      {lines.map((each) => (
        <polyline key={each.line} points={(rules?.lines[each.line - 1] ?? []).slice(0, each.count).map((row, reel) => `${reel * 10 + 5},${row * 10 + 5}`).join(" ")} />
      ))}
    </svg>
  );
}

function Paytable({ rules }: { rules: Rules }) {
  return (
    <details class="paytable" onClick={(e) => e.stopPropagation()}>
      <summary>{t("slots.paytable")}</summary>
      <div class="paytable-body">
        <ul>
          {rules.pays.map((each) => (
            <li key={each.symbol}>
              <Symbol name={each.symbol} />
              <span><strong>{t(`symbol.${each.symbol}` as "symbol.wild")}</strong>
                {each.pays.some((pays) => pays > 0) ? each.pays.map((pays, i) => `${i + 3}: ${times(pays)}`).join("  ") : t("slots.wild")}</span>
            </li>
          ))}
        </ul>
        <p>{t("slots.scatter", { spins: rules.freeSpins.join(" / "), factor: rules.freeFactor })}</p>
        <ol class="line-list" aria-label={t("slots.lines")}>
          {rules.lines.map((rows, i) => (
            <li key={i}><span>{i + 1}</span>
              <svg viewBox="0 0 50 30" aria-hidden="true"><polyline points={rows.map((row, reel) => `${reel * 10 + 5},${row * 10 + 5}`).join(" ")} /></svg>
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}
