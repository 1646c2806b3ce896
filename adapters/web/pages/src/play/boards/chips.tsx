// Chips: pressing a place bets the typed wager on it once more.

import { useState } from "preact/hooks";
import { language, t } from "../../shared/i18n";
import { entry } from "../../shared/money";
import { token } from "../store";
import type { Table } from "../table";

export interface Placed {
  total: bigint;
  put(place: string): void;
  clear(): void;
  undo(): void;
  bets(): [string, bigint][];
  /** The chip on a place, if there is one. */
  on(place: string): preact.JSX.Element | null;
}

export function useChips(table: Table): Placed {
  const [placed, setPlaced] = useState<[string, bigint][]>([]);
  const sums = new Map<string, bigint>();
  for (const [place, amount] of placed) sums.set(place, (sums.get(place) ?? 0n) + amount);
  return {
    total: placed.reduce((sum, [, amount]) => sum + amount, 0n),
    put(place) {
      const amount = table.staked();
      if (amount !== null && amount > 0n) setPlaced([...placed, [place, amount]]);
    },
    clear: () => setPlaced([]),
    undo: () => setPlaced(placed.slice(0, -1)),
    bets: () => [...sums],
    on(place) {
      const amount = sums.get(place);
      return amount === undefined ? null : <span class="chip">{entry(amount, token.value?.decimals ?? 0, language.value)}</span>;
    },
  };
}

export function Chips({ chips }: { chips: Placed }) {
  return (
    <>
      <p class="muted">{t("chips.explain")}</p>
      <div class="row">
        <button type="button" disabled={chips.total === 0n} onClick={chips.undo}>{t("chips.undo")}</button>
        <button type="button" disabled={chips.total === 0n} onClick={chips.clear}>{t("clear")}</button>
      </div>
    </>
  );
}
