// Diamonds: five gems and the hands that pay.

import { t, times } from "../../shared/i18n";
import { Frame } from "../frame";
import type { Table } from "../table";
import "./diamonds.css";
import { Hands, type Hand } from "./hands";

const MOTION_MS = 1000;
const motion = () => MOTION_MS;
const FIRST = ["purple", "cyan", "green", "yellow", "red"];

export default function Diamonds({ table }: { table: Table }) {
  const round = table.last.value;
  const gems = (round?.outcome?.gems as string[] | undefined) ?? FIRST;
  return (
    <Frame table={table} onBet={() => table.play({})} motion={motion}>
      <div class="gems-board">
        <ol class="gems" aria-label={t("diamonds.gems")}>
          {gems.map((gem, i) => (
            <li key={`${round?.id}.${i}`} class={`gem ${gem} ${gems.filter((each) => each === gem).length > 1 && round !== null && table.revealed.value ? "lit" : ""}`} style={{ "--place": `${i}` }}>
              <svg viewBox="0 0 40 40" aria-hidden="true"><path d="M12 6h16l8 10-16 20L4 16z" /><path d="M12 6l8 10 8-10M4 16h32M20 16v20" class="facet" /></svg>
              <span class="hidden">{gem}</span>
            </li>
          ))}
        </ol>
        <Hands hands={((table.game.table as { hands: Hand[] } | null)?.hands ?? []).filter((each) => each.pays > 0)} hit={table.revealed.value ? (round?.outcome?.hand as string | undefined) : undefined} pays={times} />
      </div>
    </Frame>
  );
}
