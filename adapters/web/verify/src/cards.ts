import type { Draws } from "./draws.js";

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

export interface Card {
  /** From 0, which is a 2, to 12, an ace. */
  rank: number;
  name: string;
}

/** A card from an infinite deck. */
export function card(draws: Draws): Card {
  return numbered(draws.pick(52n, cardName));
}

/** The card of a number of 0 … 51. */
export function numbered(number: bigint): Card {
  const picked = Number(number);
  const rank = picked >> 2;
  return { rank, name: RANKS[rank]! + "dhsc"[picked & 3]! };
}

/** The notation of the card with a number of 0 … 51. */
export function cardName(number: bigint): string {
  return numbered(number).name;
}

/** Cards in the notation of outcomes. */
export function names(cards: Card[]): string[] {
  return cards.map(({ name }) => name);
}
