// What the page for players and the one that verifies say to each other, when a pair's
// rounds are handed over: by messages between the windows, since no storage of a browser
// surely takes ten thousand rounds.

/** The fragment of a page that is waiting for a pair. */
export const AWAITED = "#pair";

/** Said by the page that verifies, to the one that opened it. */
export interface Ready {
  casino: "ready";
}

/** Said back, in this order: the pair, its rounds in several messages, and the end of them. */
export type Handed =
  | { casino: "pair"; serverSeedHash: string; rounds: string }
  | { casino: "rounds"; lines: string }
  | { casino: "end" }
  | { casino: "failed"; why: string };

/** The message of a page of this same origin that an event has, if it has one. */
export function said<T extends { casino: string }>(event: MessageEvent<unknown>): T | null {
  const { data } = event;
  if (event.origin !== location.origin || typeof data !== "object" || data === null || !("casino" in data)) return null;
  return data as T;
}
