// Mines: tiles that are opened one at a time, until a mine or the cash-out.

import { useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { Amount, Frame } from "../frame";
import type { Table } from "../table";
import { minesPay } from "./returns";
import { CashOut } from "./stepped";
import "./tiles.css";

const TILES = 25;

export default function Mines({ table }: { table: Table }) {
  const [mines, setMines] = useState(3);
  const open = table.open.value;
  const ended = open === null ? table.last.value : null;
  const opened = ((open?.shown.opened ?? ended?.outcome?.opened) as number[] | undefined) ?? [];
  const hidden = (ended?.outcome?.mines as number[] | undefined) ?? [];
  const tile = (n: number) => {
    const mine = hidden.includes(n);
    const isOpen = opened.includes(n);
    const state = isOpen ? (mine ? "boom" : "gem") : mine ? "mine" : "";
    const says = isOpen ? (mine ? t("mines.mine") : t("mines.safe")) : mine ? t("mines.mine") : t("mines.closed");
    return (
      <button type="button" key={n} class={`tile-button ${state}`} disabled={open === null || isOpen} aria-label={`${n + 1}: ${says}`} onClick={() => void table.act({ type: "open", tile: n })}>
        <span aria-hidden="true">{state === "gem" || (state === "" && hidden.length > 0) ? "◆" : state === "" ? "" : "✹"}</span>
      </button>
    );
  };
  return (
    <Frame table={table} onBet={() => table.begin({ mines })} actions={<CashOut table={table} />} betLabel={t("begin")}
      controls={<Amount label={t("mines.mines")} value={mines} min={1} max={24} locked={open !== null} onChange={(to) => setMines(Math.round(to))} />}>
      <div class="mines">
        <NextSteps mines={open === null ? mines : Number(open.config.mines)} opened={open === null ? 0 : opened.length} />
        <div class="minefield">{Array.from({ length: TILES }, (_, n) => tile(n))}</div>
      </div>
    </Frame>
  );
}

const AHEAD = 4;

/** What the next tiles pay; the first one is what the next tile pays. */
function NextSteps({ mines, opened }: { mines: number; opened: number }) {
  const last = TILES - mines;
  const steps = Array.from({ length: AHEAD + 1 }, (_, i) => opened + i).filter((count) => count > 0 && count <= last);
  return (
    <ol class="next-steps" aria-label={t("next.steps")}>
      {steps.map((count) => <li key={count} class={count === opened + 1 ? "now" : count <= opened ? "done" : ""}>{times(minesPay(mines, count))}</li>)}
    </ol>
  );
}
