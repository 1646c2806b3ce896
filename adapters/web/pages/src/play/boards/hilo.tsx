// Hilo: higher, lower or skip, card after card.

import { maybe, t } from "../../shared/i18n";
import { Frame } from "../frame";
import type { Table } from "../table";
import { Card } from "./cards";
import { CashOut, worth } from "./stepped";

const TURN_MS = 300;
const motion = () => TURN_MS;
const GUESSES = ["higher", "lower", "skip"];

export default function Hilo({ table }: { table: Table }) {
  const open = table.open.value;
  const cards = ((open?.shown.cards ?? table.last.value?.outcome?.cards) as string[] | undefined) ?? [];
  const actions = open !== null && (
    <>
      {GUESSES.filter((guess) => open.choices.some((each) => each.action.type === guess)).map((guess) => (
        <button type="button" key={guess} class="wide-button" aria-disabled={table.busy.value} onClick={() => void table.act({ type: guess })}>
          {maybe(`option.${guess}`)} <small class="muted">{worth(open, guess)}</small>
        </button>
      ))}
      <CashOut table={table} />
    </>
  );
  return (
    <Frame table={table} onBet={() => table.begin({})} actions={actions} betLabel={t("begin")} motion={motion}>
      <div class="hilo">
        <div class="newest">{cards.length === 0 ? <Card card={null} /> : <Card card={cards.at(-1)!} key={cards.length} lit={open !== null} />}</div>
        <div class="trail" role="group" aria-label={t("hilo.cards")}>{cards.slice(0, -1).map((card, i) => <Card key={i} card={card} />)}</div>
      </div>
    </Frame>
  );
}
