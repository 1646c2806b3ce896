import { Decimal } from "./decimal.js";
import type { Draws } from "./draws.js";
import { Unverifiable } from "./errors.js";
import type { Fraction } from "./fraction.js";
import { type Json } from "./json.js";
export interface Result {
    outcome: {
        [name: string]: Json;
    };
    /** What the rules pay for one wager, 0 for a loss. */
    multiplier: Decimal;
    /** The same where a decimal may not show it wholly. */
    exact?: Fraction;
    /** What the bets of the config add up to, where it has any: the wager. */
    sum?: bigint;
    /** How many first wagers were staked, where it may be more than one: the wager is one so many times. */
    staked?: bigint;
}
/** What a game pays whose multipliers are fractions. */
export declare function pays(exact: Fraction): {
    multiplier: Decimal;
    exact: Fraction;
};
/** Reads a field of a config; undefined is one that was left out. */
export type Field<T> = (name: string, value: Json | undefined) => T;
/** A version of a game's rules: a function from config, draws and actions to what happened. */
export interface Rules {
    readonly game: string;
    /** A round that is decided in one call, where the game has such rounds. */
    readonly play?: (config: Json, draws: Draws) => Result;
    /** A round that is played step by step, where the game has such rounds. */
    readonly take?: (config: Json, draws: Draws, actions: Json[]) => Result;
    /** The most that a stepped round of a config can pay without a maxMultiplier, where the game takes one. */
    readonly greatest?: (config: Json) => Fraction;
}
/** Makes rules of the config's fields and of a function that plays what they allow. */
export declare function rules<C extends object>(game: string, fields: {
    [K in keyof C]: Field<C[K]>;
}, play: (config: C, draws: Draws) => Result): Rules;
/** An object of fields, of which some must be there. */
export declare function record<C extends object>(fields: {
    [K in keyof C]: Field<C[K]>;
}, needed?: (keyof C & string)[]): Field<C>;
/** A list of 1 … count items. */
export declare function listOf<T>(count: number, item: Field<T>, missing: T[]): Field<T[]>;
/** A decimal with at most two places, in hundredths. */
export declare function hundredths(least: bigint, most: bigint, missing: bigint): Field<bigint>;
/** An integer, written without decimals. */
export declare function whole(least: bigint, most: bigint, missing: bigint | null): Field<bigint>;
/** A bet's amount in base units; and what the amounts of bets add up to has the same limits. */
export declare const AMOUNT: Field<bigint>;
export declare function sumOf(bets: {
    amount: bigint;
}[]): bigint;
/** A list of 1 … count different integers of 0 … most. */
export declare function numbers(count: number, most: bigint, missing: bigint[]): Field<bigint[]>;
/** One of some words; the first is meant where none is given. */
export declare function word<T extends string>(...words: [T, ...T[]]): Field<T>;
/** A field that can't have the value that it has. */
export declare class Unplayable extends Unverifiable {
    readonly field: string;
    readonly why: string;
    constructor(field: string, why: string);
}
export declare function unplayable(field: string, why: string): Unplayable;
