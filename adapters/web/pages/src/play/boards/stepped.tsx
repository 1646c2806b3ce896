// Common parts of step-by-step rounds.

import { t, times } from "../../shared/i18n";
import { times as exact, units } from "../../shared/money";
import { amount, type OpenRound } from "../store";
import type { Table } from "../table";

function offered(round: OpenRound, type: string) {
  return round.choices.find((each) => each.action.type === type);
}

/** The amount for which the round could be ended after an action of a type. */
export function worth(round: OpenRound, type: string): string {
  const prize = offered(round, type)?.prize;
  return prize === undefined ? "" : times(prize);
}

/** That amount in base units; what its multiplier has after the fourth decimal is left out. */
function prize(round: OpenRound, type: string): bigint {
  return (BigInt(round.wager) * (units(exact(offered(round, type)?.prize ?? 0).slice(0, -1), 4) ?? 0n)) / 10_000n;
}

export function CashOut({ table }: { table: Table }) {
  const round = table.open.value;
  if (round === null || offered(round, "cashOut") === undefined) return null;
  return (
    <button type="button" class="primary big" aria-disabled={table.busy.value} onClick={() => void table.act({ type: "cashOut" })}>
      {t("cashout", { pays: worth(round, "cashOut") })} <small>{amount(prize(round, "cashOut"), round.token)}</small>
    </button>
  );
}
