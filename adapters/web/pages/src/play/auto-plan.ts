// What auto-bet does after each round. It knows nothing of the page: amounts are base units.

export interface Plan {
  /** How many bets; null for no end. */
  count: number | null;
  /** What a win or a loss does to the wager: null returns to the first one, a number adds so many percent. */
  onWin: number | null;
  onLoss: number | null;
  /** The profit and the loss that end it; null for none. */
  profit: bigint | null;
  loss: bigint | null;
}

export interface Run {
  first: bigint;
  wager: bigint;
  played: number;
  /** Payouts less wagers so far. */
  net: bigint;
}

export type End = "count" | "profit" | "loss" | "limit";

export function beginRun(first: bigint): Run {
  return { first, wager: first, played: 0, net: 0n };
}

/** Returns the run after a round, and why it ends there, or null if it goes on. A returned stake is
 * neither a win nor a loss, so the wager stays. A next wager above the greatest allowed one ends
 * the run. */
export function afterRound(plan: Plan, run: Run, round: { wager: bigint; payout: bigint }, greatest: bigint): { run: Run; end: End | null } {
  const next: Run = {
    first: run.first,
    wager: round.payout === round.wager ? run.wager : changed(run, round.payout > round.wager ? plan.onWin : plan.onLoss),
    played: run.played + 1,
    net: run.net + round.payout - round.wager,
  };
  return { run: next, end: endOf(plan, next, greatest) };
}

/** The next wager, rounded down to base units. */
function changed(run: Run, percent: number | null): bigint {
  return percent === null ? run.first : run.wager + (run.wager * BigInt(percent)) / 100n;
}

function endOf(plan: Plan, run: Run, greatest: bigint): End | null {
  if (plan.profit !== null && run.net >= plan.profit) return "profit";
  if (plan.loss !== null && -run.net >= plan.loss) return "loss";
  if (plan.count !== null && run.played >= plan.count) return "count";
  return run.wager > greatest ? "limit" : null;
}
