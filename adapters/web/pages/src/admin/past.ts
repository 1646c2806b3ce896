// A player's history, for decisions about the player's money: read from the service's lists, newest
// first, up to a bound that is shown.

import { api, type Schemas } from "../shared/api";

type Transaction = Schemas["AdminTransaction"];
type Round = Schemas["AdminRound"];

/** Sums of one token. */
export interface Sums {
  deposited: bigint;
  deposits: number;
  withdrawn: bigint;
  withdrawals: number;
  rejected: number;
  adjusted: bigint;
  rounds: number;
  wagered: bigint;
  won: bigint;
  /** The greatest payout of one round. */
  largest: bigint;
}

export interface Past {
  sums: Record<string, Sums>;
  /** Whether the lists were longer than what was read. */
  cut: { transactions: boolean; rounds: boolean };
  transactions: Transaction[];
}

export const READ_MAX = 500;
const PAGE = 100;

async function all<R>(page: (cursor: string | undefined) => Promise<{ rows: R[]; nextCursor: string | null }>): Promise<{ rows: R[]; cut: boolean }> {
  const rows: R[] = [];
  for (let cursor: string | undefined; ; ) {
    const found = await page(cursor);
    rows.push(...found.rows);
    if (found.nextCursor === null) return { rows, cut: false };
    if (rows.length >= READ_MAX) return { rows, cut: true };
    cursor = found.nextCursor;
  }
}

function none(): Sums {
  return { deposited: 0n, deposits: 0, withdrawn: 0n, withdrawals: 0, rejected: 0, adjusted: 0n, rounds: 0, wagered: 0n, won: 0n, largest: 0n };
}

function addTransaction(sums: Sums, each: Transaction): void {
  const units = BigInt(each.amount ?? 0);
  if (each.type === "deposit" && each.status === "credited") {
    sums.deposited += units;
    sums.deposits++;
  } else if (each.type === "withdrawal" && each.status === "completed") {
    sums.withdrawn += units;
    sums.withdrawals++;
  } else if (each.type === "withdrawal" && each.status === "rejected") {
    sums.rejected++;
  } else if (each.type === "adjustment") {
    sums.adjusted += each.direction === "credit" ? units : -units;
  }
}

function addRound(sums: Sums, round: Round): void {
  const won = BigInt(round.payout);
  sums.rounds++;
  sums.wagered += BigInt(round.wager);
  sums.won += won;
  if (won > sums.largest) sums.largest = won;
}

export async function readPast(wallet: string): Promise<Past> {
  const [transactions, rounds] = await Promise.all([
    all(async (cursor) => {
      const found = await api.get("/admin/transactions", { query: { wallet, limit: PAGE, ...(cursor !== undefined && { cursor }) } });
      return { rows: found.transactions, nextCursor: found.nextCursor };
    }),
    all(async (cursor) => {
      const found = await api.get("/admin/games", { query: { wallet, limit: PAGE, ...(cursor !== undefined && { cursor }) } });
      return { rows: found.rounds, nextCursor: found.nextCursor };
    }),
  ]);
  const sums: Record<string, Sums> = {};
  for (const each of transactions.rows) addTransaction((sums[each.token] ??= none()), each);
  for (const each of rounds.rows) addRound((sums[each.token] ??= none()), each);
  return {
    sums,
    cut: { transactions: transactions.cut, rounds: rounds.cut },
    transactions: transactions.rows,
  };
}
