// Slots: five reels, the lines that pay lit, free spins one below the other.

import { useState } from "preact/hooks";
import { t } from "../../shared/i18n";
import { times } from "../../shared/money";
import { Frame } from "../frame";
import type { Table } from "../table";

interface Line { line: number; symbol: string; count: number; pays: number }
interface Spin { window: string[][]; lines: Line[]; freeSpins?: Spin[] }

const GLYPHS: Record<string, string> = { diamond: "◆", crown: "♛", seven: "7", bell: "♪", grapes: "❖", plum: "●", lemon: "◉", wild: "W", scatter: "✦" };
const FIRST: string[][] = [["crown", "seven", "bell", "plum", "lemon"], ["diamond", "wild", "seven", "crown", "grapes"], ["plum", "bell", "scatter", "lemon", "diamond"]];

export default function Slots({ table }: { table: Table }) {
  const round = table.last.value;
  const spin = (round?.outcome ?? { window: FIRST, lines: [] }) as unknown as Spin;
  const spins = [spin, ...(spin.freeSpins ?? [])];
  const [shown, setShown] = useState(0);
  const current = spins[Math.min(shown, spins.length - 1)]!;
  const lines = (table.game.table as { lines: number[][] } | null)?.lines ?? [];
  const lit = (row: number, reel: number) => current.lines.some((each) => {
    if (each.line === 0) return current.window[row]?.[reel] === each.symbol;
    return reel < each.count && lines[each.line - 1]?.[reel] === row;
  });
  return (
    <Frame table={table} betLabel={t("slots.spin")} onBet={() => { setShown(0); return table.play({}); }}>
      <div class="slots">
        <div class="reels" role="img" aria-label={current.window.map((row) => row.join(" ")).join("; ")}>
          {current.window.map((row, r) => row.map((symbol, reel) => (
            <span key={`${round?.id}.${shown}.${r}.${reel}`} class={`symbol ${symbol} ${lit(r, reel) ? "lit" : ""}`} style={{ "--reel": `${reel}` }}>{GLYPHS[symbol] ?? symbol}</span>
          )))}
        </div>
        <p class="lines">{current.lines.map((each) => `${each.count} × ${each.symbol} ${times(each.pays)}`).join(" · ")}</p>
        {spins.length > 1 && (
          <p class="row">
            <button type="button" disabled={shown === 0} onClick={() => setShown(shown - 1)} aria-label={t("slots.before")}>←</button>
            <span>{shown === 0 ? t("slots.first") : t("slots.free", { number: shown, of: spins.length - 1 })}</span>
            <button type="button" disabled={shown === spins.length - 1} onClick={() => setShown(shown + 1)} aria-label={t("slots.next")}>→</button>
          </p>
        )}
      </div>
    </Frame>
  );
}
