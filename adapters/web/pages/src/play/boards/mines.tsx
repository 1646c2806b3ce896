// Mines: tiles that are opened one at a time, until a mine or the cash-out.

import { useState } from "preact/hooks";
import { t } from "../../shared/i18n";
import { Amount, Frame } from "../frame";
import type { Table } from "../table";
import { CashOut, worth } from "./stepped";

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
        <span aria-hidden="true">{state === "gem" ? "◆" : state === "" ? "" : "✹"}</span>
      </button>
    );
  };
  return (
    <Frame table={table} onBet={() => table.begin({ mines })} actions={<CashOut table={table} />} betLabel={t("begin")}
      controls={<Amount label={t("mines.mines")} value={mines} min={1} max={24} locked={open !== null} onChange={(to) => setMines(Math.round(to))} />}>
      <div class="mines">
        {open !== null && <p class="next" role="status">{t("next", { pays: worth(open, "open") })}</p>}
        <div class="minefield">{Array.from({ length: TILES }, (_, n) => tile(n))}</div>
      </div>
    </Frame>
  );
}
