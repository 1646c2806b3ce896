// The parts of a game: the fields of its config, and its function of draws.

import { Decimal } from "./decimal.js";
import type { Draws } from "./draws.js";
import { Unverifiable } from "./errors.js";
import type { Fraction } from "./fraction.js";
import { isObject, type Json } from "./json.js";
import type { Round } from "./stepped.js";

export interface Result {
  outcome: { [name: string]: Json };
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
export function pays(exact: Fraction): { multiplier: Decimal; exact: Fraction } {
  return { multiplier: exact.decimal, exact };
}

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
export function rules<C extends object>(game: string, fields: { [K in keyof C]: Field<C[K]> }, play: (config: C, draws: Draws) => Result): Rules {
  return {
    game,
    play(config, draws) {
      return play(record(fields)("config", config), draws);
    },
  };
}

/** An object of fields; those in needed are required. */
export function record<C extends object>(fields: { [K in keyof C]: Field<C[K]> }, needed: (keyof C & string)[] = []): Field<C> {
  return (name, value) => {
    if (!isObject(value)) throw unplayable(name, "must be an object");
    for (const member of Object.keys(value)) {
      if (!Object.hasOwn(fields, member)) throw unplayable(member, "is no field of the game");
    }
    for (const member of needed) {
      if (!Object.hasOwn(value, member)) throw unplayable(`${name}.${member}`, "is missing");
    }
    const read = {} as C;
    for (const member of Object.keys(fields) as (keyof C & string)[]) {
      read[member] = fields[member](member, Object.hasOwn(value, member) ? value[member] : undefined);
    }
    return read;
  };
}

/** A list of 1 … count items. */
export function listOf<T>(count: number, item: Field<T>, missing: T[]): Field<T[]> {
  return (name, value) => {
    if (value === undefined) return missing;
    if (!Array.isArray(value) || value.length < 1 || value.length > count) throw unplayable(name, `must be a list of 1 to ${count}`);
    return value.map((one, i) => item(`${name}[${i}]`, one));
  };
}

/** A decimal with at most two places, in hundredths. */
export function hundredths(least: bigint, most: bigint, missing: bigint): Field<bigint> {
  return number(2, least, most, missing);
}

/** An integer, written without decimals. */
export function whole(least: bigint, most: bigint, missing: bigint | null): Field<bigint> {
  return number(0, least, most, missing);
}

/** A bet's amount in base units; the sum of a round's bets has the same limits. */
export const AMOUNT = whole(1n, 10n ** 17n, null);

export function sumOf(bets: { amount: bigint }[]): bigint {
  const sum = bets.reduce((all, { amount }) => all + amount, 0n);
  if (sum > 10n ** 17n) throw unplayable("bets", "add up to too much");
  return sum;
}

function number(scale: number, least: bigint, most: bigint, missing: bigint | null): Field<bigint> {
  return (name, value) => {
    if (value === undefined && missing !== null) return missing;
    const units = value instanceof Decimal ? value.in(scale) : null;
    if (units === null || units < least || units > most) {
      const decimals = scale === 0 ? "without decimals" : `with at most ${scale} decimals`;
      throw unplayable(name, `must be a number from ${Decimal.of(least, scale)} to ${Decimal.of(most, scale)} ${decimals}`);
    }
    return units;
  };
}

/** A list of 1 … count different integers of 0 … most. */
export function numbers(count: number, most: bigint, missing: bigint[]): Field<bigint[]> {
  const list = listOf(count, whole(0n, most, null), missing);
  return (name, value) => {
    const read = list(name, value);
    if (new Set(read).size < read.length) throw unplayable(name, "must be different numbers");
    return read;
  };
}

/** One of several words; the first is the default. */
export function word<T extends string>(...words: [T, ...T[]]): Field<T> {
  return (name, value) => {
    if (value === undefined) return words[0];
    return words.find((known) => known === value) ?? fail(name, `must be one of ${words.join(", ")}`);
  };
}

function fail(field: string, why: string): never {
  throw unplayable(field, why);
}

/** A field with an invalid value. */
export class Unplayable extends Unverifiable {
  constructor(
    readonly field: string,
    readonly why: string,
  ) {
    super("config", `config can't be played: ${field} ${why}`);
  }
}

export function unplayable(field: string, why: string): Unplayable {
  return new Unplayable(field, why);
}
