// Video poker: hold cards, and draw the others anew.

import { useEffect, useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { Frame } from "../frame";
import type { Table } from "../table";
import { Card, DEAL_MS } from "./cards";
import { Hands, type Hand } from "./hands";

const motion = () => DEAL_MS * 3;

export default function Videopoker({ table }: { table: Table }) {
  const [held, setHeld] = useState<number[]>([]);
  const open = table.open.value;
  useEffect(() => setHeld([]), [open?.id]);
  const cards = ((open?.shown.dealt ?? table.last.value?.outcome?.cards) as string[] | undefined) ?? [null, null, null, null, null];
  const toggle = (i: number) => setHeld(held.includes(i) ? held.filter((each) => each !== i) : [...held, i]);
  const hands = ((table.game.table as { hands: Hand[] } | null)?.hands ?? []).filter((each) => each.pays > 0);
  return (
    <Frame table={table} onBet={() => table.begin({})} betLabel={t("deal")} motion={motion} actions={(
      <button type="button" class="primary big" aria-disabled={table.busy.value} onClick={() => void table.act({ type: "draw", hold: held })}>{t("poker.draw")}</button>
    )}>
      <div class="poker">
        <Hands hands={hands} hit={open === null && table.revealed.value ? (table.last.value?.outcome?.hand as string | undefined) : undefined} pays={times} />
        <div class="hand" role="group" aria-label={t("poker.cards")}>
          {cards.map((card, i) => (
            <button type="button" key={i} class="held" disabled={open === null} aria-pressed={held.includes(i)} onClick={() => toggle(i)}>
              <Card key={card ?? ""} card={card} lit={held.includes(i)} place={i / 2} />
              {card === null && <span class="hidden">{t("poker.card", { number: i + 1 })}</span>}
              <span>{held.includes(i) ? t("poker.held") : " "}</span>
            </button>
          ))}
        </div>
      </div>
    </Frame>
  );
}
