// Reads lists of rounds with all their digits.

import { isObject, parse, type Json } from "@casino-service/verify";

export function member(of: Json, name: string): Json | undefined {
  return isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** The rounds of a list's text, with all their digits. */
export function roundsOf(text: string): Json[] {
  const rounds = member(parse(text), "rounds");
  return Array.isArray(rounds) ? rounds : [];
}
