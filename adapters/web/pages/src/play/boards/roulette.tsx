// Roulette: the wheel, and the table with its numbers, outside bets and the places between numbers.

import { useMemo, useState } from "preact/hooks";
import { maybe, t } from "../../shared/i18n";
import { Choice, Frame } from "../frame";
import type { Table } from "../table";
import { Chips, useChips } from "./chips";
import { colour, KINDS, numberAt, placesOf, type Kind } from "./roulette-places";
import { RouletteWheel, SPIN_MS } from "./roulette-wheel";
import "./roulette.css";

const OUTSIDE = ["dozen1", "dozen2", "dozen3", "low", "even", "red", "black", "odd", "high"];
const COLUMNS = Array.from({ length: 12 }, (_, column) => column);
const ROWS = [0, 1, 2];
const motion = () => SPIN_MS;

/** The bet of a place's key: its type and, for inside bets, its numbers. */
function betOf(key: string, amount: bigint) {
  const [type, numbers] = key.split(" ");
  return { type, ...(numbers !== undefined && { numbers: numbers.split("-").map(Number) }), amount };
}

export default function Roulette({ table }: { table: Table }) {
  const chips = useChips(table);
  const [kind, setKind] = useState<Kind>("straight");
  const places = useMemo(() => KINDS.flatMap(placesOf), []);
  const drawn = table.revealed.value ? (table.last.value?.outcome?.number as number | undefined) : undefined;
  const cell = (n: number, style = {}) => (
    <button type="button" key={n} class={`cell ${colour(n)} ${n === drawn ? "hit" : ""}`} style={style} disabled={kind !== "straight"} onClick={() => chips.put(`straight ${n}`)} aria-label={t("roulette.number", { number: n })}>
      {n}{chips.on(`straight ${n}`)}
    </button>
  );
  const outside = (key: string, text: preact.ComponentChildren, label?: string) => (
    <button type="button" key={key} class={`cell outside ${key}`} onClick={() => chips.put(key)} {...(label !== undefined && { "aria-label": label })}>{text}{chips.on(key)}</button>
  );
  const controls = (
    <>
      <Choice label={t("roulette.kind")} options={KINDS} value={kind} onChange={setKind} />
      <Chips chips={chips} />
    </>
  );
  const bet = () => table.play({ bets: chips.bets().map(([key, amount]) => betOf(key, amount)) }, chips.total);
  return (
    <Frame table={table} controls={controls} {...(chips.total > 0n && { fixed: chips.total, onBet: bet })} betLabel={t(chips.total > 0n ? "wheel.spin" : "chips.first")} motion={motion}>
      <div class={`roulette ${table.revealed.value ? "" : "spinning"}`}>
        <RouletteWheel table={table} />
        <div class="layout" role="group" aria-label={t("chips.places")}>
          <div class="zero">{cell(0)}</div>
          <div class="grid">
            {ROWS.map((row) => COLUMNS.map((column) => cell(numberAt(column, row), { "--column": `${column}`, "--row": `${row}`, "--half": column < 6 ? "0" : "1" })))}
            {places.map((place) => {
              const key = `${place.kind} ${place.numbers.join("-")}`;
              const chip = chips.on(key);
              if (place.kind !== kind && chip === null) return null;
              return (
                <button type="button" key={key} class="between" style={{ "--x": `${place.x}`, "--y": `${place.y}`, "--half": place.x <= 6 ? "0" : "1" }} disabled={place.kind !== kind}
                  aria-label={t("roulette.between", { kind: maybe(`option.${place.kind}`) ?? place.kind, numbers: place.numbers.join(", ") })} onClick={() => chips.put(key)}>{chip}</button>
              );
            })}
          </div>
          <div class="columns3">{ROWS.map((row) => outside(`column${3 - row}`, "2:1", `2:1 ${t("roulette.column", { number: 3 - row })}`))}</div>
          <div class="outsides">{OUTSIDE.map((place) => outside(place, maybe(`option.${place}`)))}</div>
        </div>
      </div>
    </Frame>
  );
}
