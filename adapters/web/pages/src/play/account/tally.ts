// Sums of rounds: of each token, in all, by game and by day.

const none = () => ({ rounds: 0, wagered: 0n, net: 0n });
export type Sum = ReturnType<typeof none>;

export interface Tally {
  all: Sum;
  games: Map<string, Sum>;
  /** By day, such as 2026-11-23, in the reader's time zone. */
  days: Map<string, Sum>;
}

interface Counted {
  gameType: string;
  token: string;
  wager: number | bigint;
  payout: number | bigint;
  createdAt: number | bigint;
}

/** The day of a moment in the reader's time zone. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
}

function within<K>(sums: Map<K, Sum>, key: K): Sum {
  const sum = sums.get(key) ?? none();
  sums.set(key, sum);
  return sum;
}

/** Adds rounds to the tallies of their tokens. */
export function count(tallies: Map<string, Tally>, rounds: readonly Counted[]): void {
  for (const round of rounds) {
    const tally = tallies.get(round.token) ?? { all: none(), games: new Map<string, Sum>(), days: new Map<string, Sum>() };
    tallies.set(round.token, tally);
    for (const sum of [tally.all, within(tally.games, round.gameType), within(tally.days, dayOf(Number(round.createdAt)))]) {
      sum.rounds++;
      sum.wagered += BigInt(round.wager);
      sum.net += BigInt(round.payout) - BigInt(round.wager);
    }
  }
}

/** Every day from the first to the last one with a round, oldest first; null for days without. */
export function daysOf(tally: Tally): [string, Sum | null][] {
  const played = [...tally.days.keys()].sort();
  const last = played.at(-1);
  const days: [string, Sum | null][] = [];
  const at = new Date(`${played[0] ?? ""}T12:00`); // at noon, so that no change of the clock skips a day
  for (let day = played[0]; last !== undefined && day !== undefined && day <= last; at.setDate(at.getDate() + 1), day = dayOf(at.getTime())) {
    days.push([day, tally.days.get(day) ?? null]);
  }
  return days;
}
