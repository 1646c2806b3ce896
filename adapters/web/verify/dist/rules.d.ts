import { Decimal } from "./decimal.js";
import type { Draws } from "./draws.js";
import { Unverifiable } from "./errors.js";
import type { Fraction } from "./fraction.js";
import { type Json } from "./json.js";
import type { Round } from "./stepped.js";
export interface Result {
    outcome: {
        [name: string]: Json;
    };
    /** The payout for one wager, 0 for a loss. */
    multiplier: Decimal;
    /** The same as a fraction, if a decimal may not be exact. */
    exact?: Fraction;
    /** The sum of the config's bets, if it has any; it must equal the wager. */
    sum?: bigint;
    /** The number of first wagers staked, if there may be several; the wager is their sum. */
    staked?: bigint;
}
/** The payout of a game with fractions as multipliers. */
export declare function pays(exact: Fraction): {
    multiplier: Decimal;
    exact: Fraction;
};
/** Reads a field of a config; undefined means that it was left out. */
export type Field<T> = (name: string, value: Json | undefined) => T;
/** A version of a game's rules: a function from config, draws and actions to what happened. */
export interface Rules {
    readonly game: string;
    /** A round that is decided in one call, if the game has such rounds. */
    readonly play?: (config: Json, draws: Draws) => Result;
    /** A round that is played step by step, if the game has such rounds. */
    readonly take?: (config: Json, draws: Draws, actions: Json[]) => Result;
    /** The same round, as it goes on from action to action. */
    readonly begin?: (config: Json, draws: Draws) => Round<any>;
    /** The most that a stepped round of a config can pay without a maxMultiplier, where the game takes one. */
    readonly greatest?: (config: Json) => Fraction;
}
/** Makes rules from the config's fields and a function that plays a valid config. */
export declare function rules<C extends object>(game: string, fields: {
    [K in keyof C]: Field<C[K]>;
}, play: (config: C, draws: Draws) => Result): Rules;
/** An object of fields; those in needed are required. */
export declare function record<C extends object>(fields: {
    [K in keyof C]: Field<C[K]>;
}, needed?: (keyof C & string)[]): Field<C>;
/** A list of 1 … count items. */
export declare function listOf<T>(count: number, item: Field<T>, missing: T[]): Field<T[]>;
/** A decimal with at most two places, in hundredths. */
export declare function hundredths(least: bigint, most: bigint, missing: bigint): Field<bigint>;
/** An integer, written without decimals. */
export declare function whole(least: bigint, most: bigint, missing: bigint | null): Field<bigint>;
/** A bet's amount in base units; the sum of a round's bets has the same limits. */
export declare const AMOUNT: Field<bigint>;
export declare function sumOf(bets: {
    amount: bigint;
}[]): bigint;
/** A list of 1 … count different integers of 0 … most. */
export declare function numbers(count: number, most: bigint, missing: bigint[]): Field<bigint[]>;
/** One of several words; the first is the default. */
export declare function word<T extends string>(...words: [T, ...T[]]): Field<T>;
/** A field with an invalid value. */
export declare class Unplayable extends Unverifiable {
    readonly field: string;
    readonly why: string;
    constructor(field: string, why: string);
}
export declare function unplayable(field: string, why: string): Unplayable;
