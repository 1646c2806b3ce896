import type { Draws } from "./draws.js";
export interface Card {
    /** From 0, which is a 2, to 12, an ace. */
    rank: number;
    name: string;
}
/** A card from a deck that never ends. */
export declare function card(draws: Draws): Card;
/** The card of a number of 0 … 51. */
export declare function numbered(number: bigint): Card;
/** How the card of a number of 0 … 51 is written. */
export declare function cardName(number: bigint): string;
/** Cards as outcomes show them. */
export declare function names(cards: Card[]): string[];
