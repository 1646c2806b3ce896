import type { Draws } from "./draws.js";
export interface Card {
    /** From 0, which is a 2, to 12, an ace. */
    rank: number;
    name: string;
}
/** A card from an infinite deck. */
export declare function card(draws: Draws): Card;
/** The card of a number of 0 … 51. */
export declare function numbered(number: bigint): Card;
/** The notation of the card with a number of 0 … 51. */
export declare function cardName(number: bigint): string;
/** Cards in the notation of outcomes. */
export declare function names(cards: Card[]): string[];
