// Limbo and crash: the drawn multiplier against the target.

import { useState } from "preact/hooks";
import { t } from "../../shared/i18n";
import { times } from "../../shared/money";
import { Amount, Fact, Frame } from "../frame";
import type { Table } from "../table";

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

/** The curve's points, on a logarithmic scale, so that both 2 and 2,000 are visible. */
function path(reached: number): string {
  const height = Math.min(1, 0.18 + Math.log10(reached) / 3);
  return `M0 100 C 45 100 75 ${100 - height * 40} 100 ${100 - height * 96}`;
}

export function Multiplier({ table, field, label, max, outcome }: Props) {
  const [aim, setAim] = useState(2);
  const round = table.last.value;
  const reached = round?.outcome == null ? null : Number(round.outcome[outcome]);
  const won = round !== null && BigInt(round.payout) > 0n;
  const controls = (
    <>
      <Amount label={label} value={aim} min={LEAST} max={max} step={0.01} onChange={(to) => setAim(Math.round(to * 100) / 100)} />
      <div class="facts">
        <Fact label={t("pays")}>{times(aim)}</Fact>
        <Fact label={t("chance")}>{(EDGE / aim).toFixed(2)} %</Fact>
      </div>
    </>
  );
  return (
    <Frame table={table} controls={controls} onBet={() => table.play({ [field]: aim })}>
      <div class="curve">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path class={`area ${won ? "gain" : "loss"}`} d={`${path(reached ?? aim)} L100 100 Z`} key={round?.id ?? ""} />
          <path class={`line ${won ? "gain" : "loss"}`} d={path(reached ?? aim)} key={`${round?.id ?? ""}line`} />
        </svg>
        <output class={`roll ${reached === null ? "" : won ? "gain" : "loss"}`} aria-hidden="true">{reached === null ? times(aim) : times(reached)}</output>
      </div>
    </Frame>
  );
}
