// Auto-bet: places bets by a plan, one after another, through the table's own bets.

import { effect, signal } from "@preact/signals";
import { Unknown, unreached } from "../shared/api";
import { language } from "../shared/i18n";
import { entry } from "../shared/money";
import { session } from "../shared/session";
import { afterRound, beginRun, type End, type Plan, type Run } from "./auto-plan";
import { paused } from "./pauses";
import { token, type Round } from "./store";
import type { Table } from "./table";

/** The table whose bets are placed, and how far it is; null while nobody asked for it. */
export const running = signal<{ table: Table; run: Run; waits: boolean } | null>(null);
/** Why the last run ended; "failed" names a refused bet, "stopped" the player. */
export const ended = signal<End | "failed" | "stopped" | null>(null);

/** Whether the next bet may be placed. */
function ready(): boolean {
  return !paused.value;
}

let stopping: () => void = () => {};

/** Ends the run after the bet in progress. */
export function stopAuto(): void {
  stopping();
}

/** Resolves once the condition holds or the run is stopped. */
function until(condition: () => boolean, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
    const release = effect(() => {
      if (condition()) queueMicrotask(() => { release(); resolve(); });
    });
    stop.addEventListener("abort", release, { once: true });
  });
}

const AGAIN_MS = 1000; // after a bet without an answer
const GAP_MS = 150; // between bets, so that each result can be seen
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Places bets until the plan, a refusal or the player ends them. Another token, another wallet or
 * the end of the session ends them too. A bet without an answer is repeated under its key, so that
 * it can't be placed twice. */
export async function runAuto(table: Table, plan: Plan, bet: () => Promise<unknown>): Promise<void> {
  const first = table.staked();
  const [mint, wallet] = [token.value?.token, session.value?.wallet];
  if (running.value !== null || wallet === undefined || first === null || first <= 0n) return;
  const aborted = new AbortController();
  stopping = () => aborted.abort();
  const leave = effect(() => {
    if (session.value?.wallet !== wallet || token.value?.token !== mint) aborted.abort();
  });
  let run = beginRun(first);
  ended.value = null;
  try {
    while (!aborted.signal.aborted) {
      running.value = { table, run, waits: !ready() };
      await until(ready, aborted.signal);
      if (aborted.signal.aborted) break;
      running.value = { table, run, waits: false };
      setWager(table, run.wager);
      const round = (await bet()) as Round | null;
      if (round === null) {
        if (aborted.signal.aborted) break;
        if (!(table.failure.value instanceof Unknown) && !unreached(table.failure.value)) return void (ended.value = "failed");
        running.value = { table, run, waits: true };
        await pause(AGAIN_MS);
        continue;
      }
      await until(() => table.revealed.value, aborted.signal);
      const after = afterRound(plan, run, { wager: BigInt(round.wager), payout: BigInt(round.payout) }, BigInt(token.value?.maxWager ?? 0));
      run = after.run;
      running.value = { table, run, waits: false };
      if (after.end !== null) return void (ended.value = after.end);
      await pause(GAP_MS);
    }
    ended.value = "stopped";
  } finally {
    leave();
    running.value = null;
    if (token.value?.token === mint) setWager(table, first);
  }
}

function setWager(table: Table, units: bigint): void {
  if (token.value !== null) table.wager.value = entry(units, token.value.decimals, language.value);
}
