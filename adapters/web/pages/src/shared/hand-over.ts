// Messages between the player's page and the page that verifies, to hand over a pair's rounds.
// Windows exchange messages because no browser storage reliably holds ten thousand rounds.

/** The fragment of a page that is waiting for a pair. */
export const AWAITED = "#pair";

/** Sent by the page that verifies, to the one that opened it. */
export interface Ready {
  casino: "ready";
}

/** The answer, in this order: the pair, its rounds in several messages, and the end. */
export type Handed =
  | { casino: "pair"; serverSeedHash: string; rounds: string }
  | { casino: "rounds"; lines: string }
  | { casino: "end" }
  | { casino: "failed"; why: string };

/** An event's message from a page of the same origin, if it has one. */
export function said<T extends { casino: string }>(event: MessageEvent<unknown>): T | null {
  const { data } = event;
  if (event.origin !== location.origin || typeof data !== "object" || data === null || !("casino" in data)) return null;
  return data as T;
}
