// Input to be verified: a round, a list of rounds, or a round on each line.

import { isObject, parse, roundOf, Unverifiable, type Json } from "@casino-service/verify";

/** One round of the input, as text or parsed. */
export type Item = string | Json;

export type Given = { one: Item } | { many: Item[] };

const TEXT_MAX = 64 << 20; // characters
const ROUNDS_MAX = 100_000;

/** Why the input can't be read: a key of a message. */
export class Unreadable extends Error {
  constructor(readonly why: "why.empty" | "why.large" | "why.many" | "why.json", readonly detail = "") {
    super(why);
  }
}

/** Reads the input. */
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

// A capture (docs/fairness/capture.md) also has lines of other kinds; its rounds are in "kept".
const CAPTURED = /^\s*\{"line": ?"(\w+)"/;

function isRound(line: string): boolean {
  const kind = CAPTURED.exec(line)?.[1];
  return kind === undefined || kind === "kept";
}

/** The round in an item, with or without its wrapper. */
export function roundIn(item: Item): { [name: string]: Json } {
  const outer = roundOf(item);
  return Object.hasOwn(outer, "answered") ? roundOf(outer["answered"]!) : outer;
}

/** The text of a file, unless it is too large. */
export async function readFile(file: File): Promise<string> {
  if (file.size > TEXT_MAX) throw new Unreadable("why.large");
  return file.text();
}

/** The reason why a round can't be verified, as the key of a message. */
export function reasonOf(error: unknown): string {
  return error instanceof Unverifiable ? error.reason : "malformed";
}
