// Limbo and crash: the drawn multiplier against the target.

import { useRef, useState } from "preact/hooks";
import { hundredths, t, times } from "../../shared/i18n";
import { Amount, Fact, Frame } from "../frame";
import type { Table } from "../table";
import { useProgress } from "./moving";
import "./multiplier.css";

interface Props {
  table: Table;
  /** The field of the config, its label, its maximum, and the outcome's member. */
  field: "target" | "cashout";
  label: string;
  max: number;
  outcome: "multiplier" | "crash";
}

const LEAST = 1.01;
const EDGE = 99; // hundredths returned in the long run

const CRASH_MS = 900; // for each factor of e, as the multiplier grows
const CRASH_MAX_MS = 5000;
const LIMBO_MS = 450;

/** How long the multiplier rises: in crash as long as it grows, up to a bound. */
function rises(outcome: Props["outcome"], reached: number): number {
  return outcome === "multiplier" ? LIMBO_MS : Math.min(CRASH_MAX_MS, 150 + Math.log(reached) * CRASH_MS);
}

/** The curve's points, on a logarithmic scale, so that both 2 and 2,000 are visible. */
function path(reached: number): string {
  const height = Math.min(1, 0.18 + Math.log10(reached) / 3);
  return `M0 100 C 45 100 75 ${100 - height * 40} 100 ${100 - height * 96}`;
}

export function Multiplier({ table, field, label, max, outcome }: Props) {
  const [aim, setAim] = useState(2);
  const round = table.last.value;
  const reached = round?.outcome == null ? null : Number(round.outcome[outcome]);
  const shown = table.revealed.value;
  const won = round !== null && BigInt(round.payout) > 0n;
  const [number, curve] = [useRef<HTMLOutputElement>(null), useRef<SVGGElement>(null)];
  useProgress(table, rises(outcome, reached ?? 1), (part) => {
    if (number.current !== null && reached !== null) number.current.textContent = times(part === 1 ? reached : Math.floor(100 * reached ** part) / 100);
    curve.current?.style.setProperty("--part", `${100 - part * 100}%`);
  });
  const colour = reached === null || !shown ? "" : won ? "gain" : "loss";
  const controls = (
    <>
      <Amount label={label} value={aim} min={LEAST} max={max} step={0.01} onChange={(to) => setAim(Math.round(to * 100) / 100)} />
      <div class="facts">
        <Fact label={t("pays")}>{times(aim)}</Fact>
        <Fact label={t("chance")}>{hundredths(EDGE / aim)} %</Fact>
      </div>
    </>
  );
  return (
    <Frame table={table} controls={controls} onBet={() => table.play({ [field]: aim })} motion={(of) => (of.outcome === null ? 0 : rises(outcome, Number(of.outcome[outcome])))}>
      <div class="curve">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <g ref={curve} class={`risen ${colour}`}>
            <path class="area" d={`${path(reached ?? aim)} L100 100 Z`} />
            <path class="line" d={path(reached ?? aim)} />
          </g>
        </svg>
        <output ref={number} class={`roll ${colour}`} aria-hidden="true">{times(reached ?? aim)}</output>
      </div>
    </Frame>
  );
}
