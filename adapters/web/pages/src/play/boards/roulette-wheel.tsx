// The roulette wheel: it turns, and the ball comes to rest in the drawn pocket.

import { useRef } from "preact/hooks";
import type { Table } from "../table";
import { pointAt, useMotion } from "./moving";
import { colour, POCKETS } from "./roulette-places";

export const SPIN_MS = 2600;
const STEP = 360 / POCKETS.length;

export function RouletteWheel({ table }: { table: Table }) {
  const number = table.last.value?.outcome?.number as number | undefined;
  const before = useRef(0);
  const angle = number === undefined ? before.current : 360 - POCKETS.indexOf(number) * STEP;
  const wheel = useMotion<SVGGElement>(table, (element) => {
    const from = before.current;
    before.current = angle;
    return element.animate([{ transform: `rotate(${from - 720}deg)` }, { transform: `rotate(${angle}deg)` }], { duration: SPIN_MS, easing: "cubic-bezier(.15, .6, .25, 1)" });
  });
  const ball = useMotion<SVGGElement>(table, (element) => element.animate(
    [{ transform: "rotate(1440deg) scale(1.12)" }, { transform: "rotate(240deg) scale(1.12)", offset: 0.65 }, { transform: "rotate(0deg) scale(1)" }],
    { duration: SPIN_MS, easing: "cubic-bezier(.2, .5, .4, 1)" },
  ));
  const shown = table.revealed.value && number !== undefined;
  return (
    <svg class="roulette-wheel" viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="49" class="rim" />
      <g ref={wheel} class="spun" style={{ transform: `rotate(${angle}deg)` }}>
        {POCKETS.map((n, i) => (
          <g key={n}>
            <path class={colour(n)} d={`M50 50L${pointAt((i - 0.5) / POCKETS.length, 44)}A44 44 0 0 1 ${pointAt((i + 0.5) / POCKETS.length, 44)}Z`} />
            <text x="50" y="11" transform={`rotate(${i * STEP} 50 50)`}>{n}</text>
          </g>
        ))}
      </g>
      <circle cx="50" cy="50" r="27" class="bowl" />
      {number !== undefined && <g ref={ball} class="spun"><circle cx="50" cy="19" r="2.4" class="ball" /></g>}
      {shown && <text x="50" y="57" class={`drawn ${colour(number)}`}>{number}</text>}
    </svg>
  );
}
