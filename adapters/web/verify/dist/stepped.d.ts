import type { Draws } from "./draws.js";
import type { Fraction } from "./fraction.js";
import { type Json } from "./json.js";
import { type Field, type Result, type Rules } from "./rules.js";
export interface Typed {
    type: string;
}
/** The offered actions: the members of each beside its type. */
export type Offers<A extends Typed> = {
    [T in A["type"]]?: {
        [K in Exclude<keyof Extract<A, {
            type: T;
        }>, "type">]: Field<Extract<A, {
            type: T;
        }>[K]>;
    };
};
/** A round: it yields the offered actions, gets the chosen one, and returns the result. */
export type Round<A extends Typed> = Generator<Offers<A>, Result, A>;
/** Makes rules of a stepped game of the config's fields and of a function that plays what they allow. */
export declare function stepped<C extends object, A extends Typed>(game: string, fields: {
    [K in keyof C]: Field<C[K]>;
}, begin: (config: C, draws: Draws) => Round<A>, greatest?: (config: C) => Fraction): Rules;
/** An action as its game takes it, if it is one of the offered actions. */
export declare function readAction<A extends Typed>(offers: Offers<A>, action: Json, place: string): A;
/** One of several whole numbers. */
export declare function among(numbers: bigint[]): Field<bigint>;
/** Distinct whole numbers of 0 … below - 1, possibly none. */
export declare function severalOf(below: bigint): Field<bigint[]>;
/** The config that a round is opened with: the one that was asked for, bounded by the published function of it, the first wager and the token's maxPayout. */
export declare function openedConfig({ greatest }: Rules, asked: {
    [name: string]: Json;
}, wager: bigint, maxPayout: bigint): Json;
/** The maximum value of a round, in units of its last decimal; null if there is none. */
export declare const maxMultiplier: Field<bigint | null>;
/** Whether a round would exceed its maximum value. */
export declare function passes(worth: Fraction, most: bigint | null): boolean;
/** Rejects a maximum that the first step already exceeds. */
export declare function checkBound(first: Fraction, most: bigint | null): void;
