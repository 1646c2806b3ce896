// Roulette: the table with its numbers and outside bets.

import { maybe, t } from "../../shared/i18n";
import { Frame } from "../frame";
import type { Table } from "../table";
import { Chips, useChips } from "./chips";

const RED = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36];
const ROWS = [3, 2, 1].map((first) => Array.from({ length: 12 }, (_, i) => first + 3 * i));
const OUTSIDE = ["dozen1", "dozen2", "dozen3", "low", "even", "red", "black", "odd", "high"];

function colour(n: number): string {
  return n === 0 ? "green" : RED.includes(n) ? "red" : "black";
}

export default function Roulette({ table }: { table: Table }) {
  const chips = useChips(table);
  const number = table.last.value?.outcome?.number as number | undefined;
  const bets = () => chips.bets().map(([place, amount]) => {
    const straight = /^straight(\d+)$/.exec(place);
    return straight === null ? { type: place, amount } : { type: "straight", numbers: [Number(straight[1])], amount };
  });
  const cell = (n: number) => (
    <button type="button" key={n} class={`cell ${colour(n)} ${n === number ? "hit" : ""}`} onClick={() => chips.put(`straight${n}`)} aria-label={t("roulette.number", { number: n })}>
      {n}{chips.on(`straight${n}`)}
    </button>
  );
  return (
    <Frame table={table} controls={<Chips chips={chips} />} {...(chips.total > 0n && { fixed: chips.total, onBet: () => table.play({ bets: bets() }, chips.total) })} betLabel={t("wheel.spin")}>
      <div class="roulette">
        <output class={`ball-number ${number === undefined ? "" : colour(number)}`} aria-hidden="true">{number ?? "–"}</output>
        <div class="layout" role="group" aria-label={t("chips.places")}>
          <div class="zero">{cell(0)}</div>
          <div class="grid">
            {ROWS.map((row, i) => (
              <div class="line" key={i}>
                {row.map(cell)}
                <button type="button" class="cell outside" onClick={() => chips.put(`column${3 - i}`)} aria-label={`2:1 ${t("roulette.column", { number: 3 - i })}`}>2:1{chips.on(`column${3 - i}`)}</button>
              </div>
            ))}
          </div>
          <div class="outsides">
            {OUTSIDE.map((place) => (
              <button type="button" key={place} class={`cell outside ${place}`} onClick={() => chips.put(place)}>{maybe(`option.${place}`)}{chips.on(place)}</button>
            ))}
          </div>
        </div>
      </div>
    </Frame>
  );
}
