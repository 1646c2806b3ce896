import { Decimal } from "./decimal.js";

/** What is paid, in wagers, by a row's name and what it is for. */
export type Table = ReadonlyMap<string, Decimal[]>;

/** Reads a table as docs/fairness prints it: a word, a number, and what is paid for 0, 1, 2, … */
export function table(text: string): Table {
  const rows = text.trim().split("\n").map((line) => line.trim().split(/ +/));
  return new Map(rows.map(([risk, of, ...pays]) => [`${risk} ${of}`, pays.map(Decimal.read)]));
}
