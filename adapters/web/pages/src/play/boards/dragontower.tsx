// Dragon tower: a tile on each level, from the bottom up.

import { useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { Choice, Frame } from "../frame";
import type { Table } from "../table";
import { towerPays } from "./returns";
import { CashOut } from "./stepped";
import "./tiles.css";

const TILES = { easy: 4, medium: 3, hard: 2, expert: 3, master: 4 };
const EGGS = { easy: 3, medium: 2, hard: 1, expert: 1, master: 1 };
type Difficulty = keyof typeof TILES;
const LEVELS = 9;

export default function Dragontower({ table }: { table: Table }) {
  const [wanted, setDifficulty] = useState<Difficulty>("easy");
  const open = table.open.value;
  const ended = open === null ? table.last.value : null;
  const difficulty = ((open?.config.difficulty as Difficulty | undefined) ?? wanted);
  const same = ended?.config?.difficulty === difficulty;
  const picks = ((open?.shown.picks ?? (same ? ended?.outcome?.picks : undefined)) as number[] | undefined) ?? [];
  const eggs = (same ? (ended?.outcome?.levels as number[][] | undefined) : undefined) ?? [];
  const tile = (level: number, n: number) => {
    const picked = picks[level] === n;
    const egg = eggs[level]?.includes(n) ?? (open !== null && picked);
    const now = open !== null && level === picks.length;
    return (
      <button type="button" key={n} disabled={!now} class={`egg ${picked ? (egg ? "good" : "bad") : egg ? "shown" : ""} ${now ? "now" : ""}`}
        aria-label={t("tower.tile", { level: level + 1, tile: n + 1 })} onClick={() => void table.act({ type: "climb", tile: n })}>
        <span aria-hidden="true">{picked && !egg ? "✹" : egg ? "●" : ""}</span>
      </button>
    );
  };
  return (
    <Frame table={table} onBet={() => table.begin({ difficulty })} actions={<CashOut table={table} />} betLabel={t("begin")}
      controls={<Choice label={t("tower.difficulty")} options={Object.keys(TILES) as Difficulty[]} value={difficulty} locked={open !== null} onChange={setDifficulty} />}>
      <div class="tower">
        {Array.from({ length: LEVELS }, (_, i) => LEVELS - 1 - i).map((level) => (
          <div class={`level ${level < picks.length ? "passed" : open !== null && level === picks.length ? "current" : ""}`} key={level}>
            <span>{times(towerPays(TILES[difficulty], EGGS[difficulty], level + 1))}</span>
            <div>{Array.from({ length: TILES[difficulty] }, (_, n) => tile(level, n))}</div>
          </div>
        ))}
      </div>
    </Frame>
  );
}
