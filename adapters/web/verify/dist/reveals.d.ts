import type { Pair, Shared } from "./seats.js";
/** Judges the rounds and the declined bets of a pair by its seed. */
export declare function judgePair(pair: Pair, serverSeed: string, shared: Shared): void;
