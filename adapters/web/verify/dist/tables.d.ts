import { Decimal } from "./decimal.js";
/** Payouts in wagers, by the name of a row. */
export type Table = ReadonlyMap<string, Decimal[]>;
/** Reads a table in the format of docs/fairness: a word, a number, and the payouts for 0, 1, 2, … */
export declare function table(text: string): Table;
