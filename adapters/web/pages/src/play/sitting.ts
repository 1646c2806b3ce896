// A sitting: the time at play with breaks of less than half an hour, and what was played in it. A
// session of the service ends after 30 minutes, so a sitting adds up the figures of several.

/** Figures of a token, in base units as text, so that they can be kept. */
export interface Figures {
  rounds: number;
  wagered: string;
  net: string;
}

export interface Sitting {
  wallet: string;
  began: number;
  /** When it was last noted, and when the player last answered the reminder. */
  seen: number;
  asked: number;
  /** The session that was read last, and its figures then. */
  session: number;
  last: Record<string, Figures>;
  /** The sums of all its sessions. */
  sums: Record<string, Figures>;
}

/** What GET /account/session answers. */
interface Read {
  startedAt: number | bigint;
  tokens: { token: string; rounds: number | bigint; wagered: number | bigint; net: number | bigint }[];
}

const BREAK_MS = 30 * 60_000;
const NONE: Figures = { rounds: 0, wagered: "0", net: "0" };

/** The sitting after a session was read: the one before, or a new one for another wallet or after
 * a break. */
export function advance(before: Sitting | null, wallet: string, read: Read, now: number): Sitting {
  const goesOn = before !== null && before.wallet === wallet && now - before.seen < BREAK_MS;
  const session = Number(read.startedAt);
  const same = goesOn && before.session === session;
  const sums = goesOn ? { ...before.sums } : {};
  const last: Sitting["last"] = {};
  for (const { token, rounds, wagered, net } of read.tokens) {
    const [sum, old] = [sums[token] ?? NONE, (same ? before.last[token] : undefined) ?? NONE];
    last[token] = { rounds: Number(rounds), wagered: String(wagered), net: String(net) };
    sums[token] = {
      rounds: sum.rounds + Number(rounds) - old.rounds,
      wagered: String(BigInt(sum.wagered) + BigInt(wagered) - BigInt(old.wagered)),
      net: String(BigInt(sum.net) + BigInt(net) - BigInt(old.net)),
    };
  }
  const began = goesOn ? before.began : Math.min(session, now);
  return { wallet, began, seen: now, asked: goesOn ? before.asked : began, session, last, sums };
}

/** Whether the player has played for so long without being asked whether to go on. */
export function isDue(sitting: Sitting, everyMs: number, now: number): boolean {
  return everyMs > 0 && now - sitting.asked >= everyMs;
}
