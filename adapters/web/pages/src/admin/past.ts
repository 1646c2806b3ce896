// A player's history, for decisions about the player's money: read from the service's lists, newest
// first, up to a bound that is shown.

import { api, type Answer, type Schemas } from "../shared/api";

export const READ_MAX = 500;
const PAGE = 100;

async function all<P extends "/admin/transactions" | "/admin/games", R>(path: P, wallet: string, rowsOf: (found: Answer<P>) => R[]): Promise<{ rows: R[]; cut: boolean }> {
  const rows: R[] = [];
  for (let cursor: string | undefined; ; ) {
    const found = await api.get(path, { query: { wallet, limit: PAGE, ...(cursor !== undefined && { cursor }) } as never });
    rows.push(...rowsOf(found));
    const next = (found as { nextCursor: string | null }).nextCursor;
    if (next === null) return { rows, cut: false };
    if (rows.length >= READ_MAX) return { rows, cut: true };
    cursor = next;
  }
}

/** Sums of one token; largest is the greatest payout of one round. */
const none = () => ({ deposited: 0n, deposits: 0, withdrawn: 0n, withdrawals: 0, rejected: 0, adjusted: 0n, rounds: 0, wagered: 0n, won: 0n, largest: 0n });

type Sums = ReturnType<typeof none>;

function addTransaction(sums: Sums, each: Schemas["AdminTransaction"]): void {
  const units = BigInt(each.amount ?? 0);
  if (each.type === "deposit" && each.status === "credited") {
    sums.deposited += units;
    sums.deposits++;
  } else if (each.type === "withdrawal" && each.status === "completed") {
    sums.withdrawn += units;
    sums.withdrawals++;
  } else if (each.type === "withdrawal" && each.status === "rejected") {
    sums.rejected++;
  } else if (each.type === "adjustment" || each.type === "adjustment_correction") {
    sums.adjusted += each.direction === "credit" ? units : -units;
  }
}

function addRound(sums: Sums, round: Schemas["AdminRound"]): void {
  const won = BigInt(round.payout);
  sums.rounds++;
  sums.wagered += BigInt(round.wager);
  sums.won += won;
  if (won > sums.largest) sums.largest = won;
}

/** Reads the history: its sums by token, its transactions, and whether a list was longer than what
 * was read. */
export async function readPast(wallet: string) {
  const [transactions, rounds] = await Promise.all([
    all("/admin/transactions", wallet, (found) => found.transactions),
    all("/admin/games", wallet, (found) => found.rounds),
  ]);
  const sums: Record<string, Sums> = {};
  for (const each of transactions.rows) addTransaction((sums[each.token] ??= none()), each);
  for (const each of rounds.rows) addRound((sums[each.token] ??= none()), each);
  return { sums, cut: { transactions: transactions.cut, rounds: rounds.cut }, transactions: transactions.rows };
}

export type Past = Awaited<ReturnType<typeof readPast>>;
