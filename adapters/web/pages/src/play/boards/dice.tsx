// Dice: a slider over the rolls, green where they win.

import { useId, useState } from "preact/hooks";
import { hundredths, t, times } from "../../shared/i18n";
import { Amount, Choice, Fact, Frame } from "../frame";
import type { Table } from "../table";
import "./dice.css";

const SIDES = ["over", "under"] as const;
// In hundredths. Targets that leave more than 9,801 winning rolls pay less than 1.01.
const LEAST = 1;
const MOST = 9801;
const SLIDE_MS = 250;
const motion = () => SLIDE_MS;

export default function Dice({ table }: { table: Table }) {
  const [ways, setWays] = useState(5000); // how many hundredths win
  const [side, setSide] = useState<(typeof SIDES)[number]>("over");
  const slider = useId();
  const target = side === "over" ? 10000 - ways : ways;
  const move = (to: number) => setWays(Math.min(MOST, Math.max(LEAST, side === "over" ? 10000 - to : to)));
  const round = table.last.value;
  const roll = round?.outcome == null ? null : Number(round.outcome.roll);
  const won = round !== null && BigInt(round.payout) > 0n;
  const controls = (
    <>
      <Choice label={t("dice.side")} options={SIDES} value={side} onChange={setSide} />
      <Amount label={t("dice.target")} value={target / 100} min={side === "over" ? 1.99 : 0.01} max={side === "over" ? 99.99 : 98.01} step={0.01} onChange={(to) => move(Math.round(to * 100))} />
      <div class="facts">
        <Fact label={t("pays")}>{times(Math.floor(99000000 / ways) / 10000)}</Fact>
        <Fact label={t("chance")}>{hundredths(ways / 100)} %</Fact>
      </div>
    </>
  );
  return (
    <Frame table={table} controls={controls} onBet={() => table.play({ target: target / 100, direction: side })} motion={motion}>
      <div class="dice">
        <output class={`roll ${roll === null || !table.revealed.value ? "" : won ? "gain" : "loss"}`} aria-hidden="true">{roll === null ? "–" : hundredths(roll)}</output>
        <label for={slider} class="hidden">{t("dice.target")}</label>
        <div class={`track ${side}`} style={{ "--at": `${target / 100}%`, "--roll": `${roll ?? 50}%` }}>
          <input id={slider} type="range" min={0} max={10000} step={1} value={target} onInput={(e) => move(Number(e.currentTarget.value))} />
          {roll !== null && <span class={`mark ${won ? "gain" : "loss"}`} aria-hidden="true" />}
        </div>
        <div class="scale" aria-hidden="true">{[0, 25, 50, 75, 100].map((each) => <span key={each}>{each}</span>)}</div>
      </div>
    </Frame>
  );
}
