// Coin flip: a side, and how often in a row it must show.

import { useState } from "preact/hooks";
import { maybe, t, times } from "../../shared/i18n";
import { Amount, Choice, Fact, Frame } from "../frame";
import type { Table } from "../table";
import "./coinflip.css";

const FLIP_MS = 180;
const TURN_MS = 600;
const motion = ({ outcome }: { outcome: unknown }) => TURN_MS + FLIP_MS * (((outcome as { flips?: string[] } | null)?.flips?.length ?? 1) - 1);
const SIDES = ["heads", "tails"] as const;

export default function Coinflip({ table }: { table: Table }) {
  const [side, setSide] = useState<(typeof SIDES)[number]>("heads");
  const [flips, setFlips] = useState(1);
  const shown = (table.last.value?.outcome?.flips as string[] | undefined) ?? [side];
  const controls = (
    <>
      <Choice label={t("coinflip.side")} options={SIDES} value={side} onChange={setSide} />
      <Amount label={t("coinflip.flips")} value={flips} min={1} max={20} onChange={(to) => setFlips(Math.round(to))} />
      <div class="facts">
        <Fact label={t("pays")}>{times(((99 * 2 ** flips) / 100).toFixed(2))}</Fact>
        <Fact label={t("chance")}>1 : {2 ** flips}</Fact>
      </div>
    </>
  );
  return (
    <Frame table={table} controls={controls} onBet={() => table.play({ side, flips })} motion={motion}>
      <ol class="coins">
        {shown.map((each, i) => (
          <li key={`${table.last.value?.id}.${i}`} class={`coin ${each}`} style={{ "--place": `${i}` }}>
            <span aria-hidden="true">{each === "heads" ? "♛" : "★"}</span>
            <span class="hidden">{maybe(`option.${each}`)}</span>
          </li>
        ))}
      </ol>
    </Frame>
  );
}
