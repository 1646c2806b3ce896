// Baccarat: chips on player, banker and tie, and the two hands.

import { maybe, t } from "../../shared/i18n";
import { Frame } from "../frame";
import type { Table } from "../table";
import { Cards, DEAL_MS } from "./cards";
import { Chips, useChips } from "./chips";

const SIDES = ["player", "banker", "tie"] as const;
const motion = ({ outcome }: { outcome: unknown }) => DEAL_MS * (2 + Object.values((outcome ?? {}) as Record<string, unknown>).flatMap((each) => (Array.isArray(each) ? each : [])).length);
const PAYS = { player: "2×", banker: "1.95×", tie: "9×" };

export default function Baccarat({ table }: { table: Table }) {
  const chips = useChips(table);
  const outcome = table.last.value?.outcome as { player: string[]; banker: string[]; winner: string } | null | undefined;
  const winner = table.revealed.value ? outcome?.winner : undefined;
  const bet = () => table.play({ bets: chips.bets().map(([on, amount]) => ({ on, amount })) }, chips.total);
  return (
    <Frame table={table} controls={<Chips chips={chips} />} {...(chips.total > 0n && { fixed: chips.total, onBet: bet })} {...(chips.total === 0n && { betLabel: t("chips.first") })} motion={motion}>
      <div class="baccarat">
        <div class="versus">
          {(["player", "banker"] as const).map((side) => (
            <div key={side} class={winner === side ? "winner" : ""}>
              <h2 class="side">{maybe(`option.${side}`)}</h2>
              <Cards cards={outcome?.[side] ?? []} backs={outcome == null ? 2 : 0} label={maybe(`option.${side}`) ?? side} id={table.last.value?.id ?? ""} order={(place) => (place < 2 ? 2 * place + (side === "banker" ? 1 : 0) : side === "banker" ? 5 : 4)} />
            </div>
          ))}
        </div>
        <div class="places" role="group" aria-label={t("chips.places")}>
          {SIDES.map((side) => (
            <button type="button" key={side} class={`place ${winner === side ? "hit" : ""}`} onClick={() => chips.put(side)}>
              {maybe(`option.${side}`)} <small>{PAYS[side]}</small> {chips.on(side)}
            </button>
          ))}
        </div>
      </div>
    </Frame>
  );
}
