// Step-by-step rounds: the offered actions at each point, and the effect of an action, as in
// docs/fairness/steps.md.

import { Decimal } from "./decimal.js";
import type { Draws } from "./draws.js";
import { Unverifiable } from "./errors.js";
import type { Fraction } from "./fraction.js";
import { isObject, type Json } from "./json.js";
import { record, Unplayable, unplayable, type Field, type Result, type Rules } from "./rules.js";

export interface Typed {
  type: string;
}

/** The offered actions: the members of each beside its type. */
export type Offers<A extends Typed> = {
  [T in A["type"]]?: { [K in Exclude<keyof Extract<A, { type: T }>, "type">]: Field<Extract<A, { type: T }>[K]> };
};

/** A round: it yields the offered actions, gets the chosen one, and returns the result. */
export type Round<A extends Typed> = Generator<Offers<A>, Result, A>;

/** Makes rules of a stepped game of the config's fields and of a function that plays what they allow. */
export function stepped<C extends object, A extends Typed>(game: string, fields: { [K in keyof C]: Field<C[K]> }, begin: (config: C, draws: Draws) => Round<A>, greatest?: (config: C) => Fraction): Rules {
  return {
    game,
    ...(greatest && { greatest: (config: Json) => greatest(record(fields)("config", config)) }),
    begin: (config, draws) => begin(record(fields)("config", config), draws),
    take(config, draws, actions) {
      const round = begin(record(fields)("config", config), draws);
      let now = round.next();
      actions.forEach((action, i) => {
        if (now.done) throw untakeable("actions", `must be ${i}: the round has ended after them`);
        now = round.next(readAction<A>(now.value, action, `actions[${i}]`));
      });
      if (!now.done) throw untakeable("actions", "are not all: the round goes on after them");
      return now.value;
    },
  };
}

/** An action as its game takes it, if it is one of the offered actions. */
export function readAction<A extends Typed>(offers: Offers<A>, action: Json, place: string): A {
  if (!isObject(action)) throw untakeable(place, "must be an object");
  const { type, ...said } = action;
  if (typeof type !== "string" || !Object.hasOwn(offers, type)) throw untakeable(`${place}.type`, `must be one of ${Object.keys(offers).join(", ")}`);
  const fields = offers[type as A["type"]] as { [name: string]: Field<unknown> };
  const taken: { [name: string]: unknown } & Typed = { type };
  for (const name of Object.keys(said)) {
    if (!Object.hasOwn(fields, name)) throw untakeable(`${place}.${name}`, `is no member of ${type}`);
  }
  for (const [name, field] of Object.entries(fields)) {
    try {
      taken[name] = field(`${place}.${name}`, said[name]);
    } catch (error) {
      if (!(error instanceof Unplayable)) throw error;
      throw untakeable(error.field, error.why);
    }
  }
  return taken as unknown as A;
}

function untakeable(place: string, why: string): Unverifiable {
  return new Unverifiable("actions", `${place} ${why}`);
}

/** One of several whole numbers. */
export function among(numbers: bigint[]): Field<bigint> {
  return (name, value) => {
    const said = value instanceof Decimal ? value.in(0) : null;
    if (said === null || !numbers.includes(said)) throw unplayable(name, `must be one of ${numbers.join(", ")}`);
    return said;
  };
}

/** Distinct whole numbers of 0 … below - 1, possibly none. */
export function severalOf(below: bigint): Field<bigint[]> {
  const one = among(Array.from({ length: Number(below) }, (_, number) => BigInt(number)));
  return (name, value) => {
    if (!Array.isArray(value)) throw unplayable(name, "must be a list");
    const read = value.map((item, i) => one(`${name}[${i}]`, item));
    if (new Set(read).size < read.length) throw unplayable(name, "must be different numbers");
    return read;
  };
}

const RESERVE_MULTIPLE = 500000n; // 50, with the decimals of maxMultiplier

/** The config that a round is opened with: the one that was asked for, bounded by the published function of it, the first wager and the token's maxPayout. */
export function openedConfig({ greatest }: Rules, asked: { [name: string]: Json }, wager: bigint, maxPayout: bigint): Json {
  if (greatest === undefined) return asked;
  const named = maxMultiplier("maxMultiplier", asked["maxMultiplier"]);
  const wanted = named ?? RESERVE_MULTIPLE;
  const limit = (maxPayout * 10n ** BigInt(SCALE)) / wager;
  const bound = limit < wanted ? limit : wanted;
  if (named === null && !passes(greatest(asked), bound)) return asked;
  return { ...asked, maxMultiplier: Decimal.of(bound, SCALE) };
}

const SCALE = 4; // decimals of maxMultiplier

/** The maximum value of a round, in units of its last decimal; null if there is none. */
export const maxMultiplier: Field<bigint | null> = (name, value) => {
  if (value === undefined) return null;
  const units = value instanceof Decimal ? value.in(SCALE) : null;
  if (units === null || units < 10n ** 4n || units > 10n ** 15n) throw unplayable(name, `must be a number from 1 to 100000000000 with at most ${SCALE} decimals`);
  return units;
};

/** Whether a round would exceed its maximum value. */
export function passes(worth: Fraction, most: bigint | null): boolean {
  return most !== null && worth.numerator * 10n ** BigInt(SCALE) > most * worth.denominator;
}

/** Rejects a maximum that the first step already exceeds. */
export function checkBound(first: Fraction, most: bigint | null): void {
  if (passes(first, most)) throw unplayable("maxMultiplier", "is less than the first step pays");
}
