// What somebody gives to be verified: a round, a list of rounds, or a round a line.

import { isObject, parse, roundOf, Unverifiable, type Json } from "@casino-service/verify";

/** One that was given, as text or as it was read. */
export type Item = string | Json;

export type Given = { one: Item } | { many: Item[] };

const TEXT_MAX = 64 << 20; // characters
const ROUNDS_MAX = 100_000;

/** Why nothing can be made of what was given: a key of a message. */
export class Unreadable extends Error {
  constructor(readonly why: "why.empty" | "why.large" | "why.many" | "why.json", readonly detail = "") {
    super(why);
  }
}

/** Reads what was given. */
export function read(text: string): Given {
  if (text.length > TEXT_MAX) throw new Unreadable("why.large");
  if (text.trim() === "") throw new Unreadable("why.empty");
  let whole: Json;
  try {
    whole = parse(text);
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length < 2 || !lines[0]!.trimStart().startsWith("{")) throw new Unreadable("why.json", (error as Error).message);
    return several(lines.filter(isRound));
  }
  if (Array.isArray(whole)) return several(whole);
  if (isObject(whole) && Array.isArray(whole["rounds"])) return several(whole["rounds"]);
  return { one: whole };
}

function several(items: Item[]): Given {
  if (items.length === 0) throw new Unreadable("why.empty");
  if (items.length > ROUNDS_MAX) throw new Unreadable("why.many");
  return { many: items };
}

// A capture (docs/fairness/capture.md) has lines of other kinds too; a round is in "kept".
const CAPTURED = /^\s*\{"line": ?"(\w+)"/;

function isRound(line: string): boolean {
  const kind = CAPTURED.exec(line)?.[1];
  return kind === undefined || kind === "kept";
}

/** The round of an item, however it is wrapped. */
export function roundIn(item: Item): { [name: string]: Json } {
  const outer = roundOf(item);
  return Object.hasOwn(outer, "answered") ? roundOf(outer["answered"]!) : outer;
}

/** The text of a file, if it isn't too large to be looked at. */
export async function readFile(file: File): Promise<string> {
  if (file.size > TEXT_MAX) throw new Unreadable("why.large");
  return file.text();
}

/** What can't be verified, in a word that has a message. */
export function reasonOf(error: unknown): string {
  return error instanceof Unverifiable ? error.reason : "malformed";
}
