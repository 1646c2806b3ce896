// Keys of the console: which command a key is, without the page.

/** The letter after g for each section. */
export const LETTERS: Readonly<Record<string, string>> = {
  overview: "o", withdrawals: "w", approvals: "a", players: "p", rounds: "r", transactions: "t", unclaimed: "u", games: "g", provider: "v", agents: "n",
  alarms: "m", status: "s", branding: "b", roles: "l", audit: "d", reports: "e",
};

/** How long g waits for its letter. */
export const GO_MS = 2000;

export type Command = { does: "filter" | "next" | "previous" | "help" } | { does: "go"; to: string } | { does: "begin" };

const SINGLE: Readonly<Record<string, Command>> = {
  "/": { does: "filter" }, j: { does: "next" }, k: { does: "previous" }, "?": { does: "help" }, g: { does: "begin" },
};

/** Returns the command of a key, or null. Begun is when g was pressed last, on the same clock as
 * now; null if another key was pressed since. */
export function commandOf(key: string, begun: number | null, now: number): Command | null {
  if (begun === null || now - begun > GO_MS) return SINGLE[key] ?? null;
  const to = Object.keys(LETTERS).find((name) => LETTERS[name] === key);
  return to === undefined ? null : { does: "go", to };
}

/** The place of the row that a step leads to, of so many; it stops at both ends. */
export function rowAfter(at: number, step: 1 | -1, rows: number): number {
  return Math.max(0, Math.min(rows - 1, at < 0 && step < 0 ? rows - 1 : at + step));
}
