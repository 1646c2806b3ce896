// Small pictures of what was drawn in a round.

import type { ComponentChildren } from "preact";
import { maybe, t, times } from "../../shared/i18n";
import type { Spin } from "../boards/slots";
import { Symbol } from "../boards/slot-symbols";

/** Words in a row, each with a dot of its colour if it has one. */
export function Chips({ of }: { of: (readonly [string, string?])[] }) {
  return <ol class="chips">{of.map(([says, kind], i) => <li key={i} >{kind !== undefined && <span class="dot" style={{ background: kind }} aria-hidden="true" />}{says}</li>)}</ol>;
}

interface Cell { sign: ComponentChildren; kind: string; says: string }

/** Squares in rows. */
export function Board({ columns, cells }: { columns: number; cells: Cell[] }) {
  return (
    <ul class="squares" style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, maxWidth: `${columns * 3.4}rem` }}>
      {cells.map(({ sign, kind, says }, i) => <li key={i} class={kind}><span aria-hidden="true">{sign}</span><span class="hidden">{says}</span></li>)}
    </ul>
  );
}

/** A ball's way through the pins: 0 is left, 1 right. */
export function Fall({ path }: { path: number[] }) {
  const gap = 100 / (path.length + 2);
  const x = (row: number, place: number) => 50 + (place - row / 2) * gap;
  let right = 0;
  const way = [[50, 0], ...path.map((step, i) => [x(i + 1, (right += step)), (i + 1) * gap])];
  const pins = path.flatMap((_, row) => Array.from({ length: row + 1 }, (_, i) => [x(row, i), row * gap]));
  return (
    <svg class="fall" viewBox={`0 -3 100 ${path.length * gap + 8}`} role="img" aria-label={path.map((step) => t(step === 1 ? "round.to.right" : "round.to.left")).join(", ")}>
      {pins.map(([cx, cy]) => <circle key={`${cx}.${cy}`} cx={cx} cy={cy} r={gap / 9} />)}
      <polyline points={way.map((at) => at.join(",")).join(" ")} />
      <circle class="ball" cx={way.at(-1)![0]} cy={way.at(-1)![1]} r={gap / 3} />
    </svg>
  );
}

const symbol = (of: string) => maybe(`symbol.${of}`) ?? of;

/** The spins of a round of slots, each with its lines that paid. */
export function Spins({ of }: { of: Spin }) {
  return (
    <>
      {[of, ...(of.freeSpins ?? [])].map((spin, i, all) => (
        <div key={i}>
          {all.length > 1 && <h4>{i === 0 ? t("slots.first") : t("slots.free", { number: i, of: all.length - 1 })}</h4>}
          <Board columns={5} cells={spin.window.flat().map((each) => ({ sign: <Symbol name={each} />, kind: "symbol-of", says: symbol(each) }))} />
          <p>{spin.lines.length === 0 ? t("round.noline") : spin.lines.map((line) => `${line.count} × ${symbol(line.symbol)} ${times(line.pays)}`).join(" · ")}</p>
        </div>
      ))}
    </>
  );
}
