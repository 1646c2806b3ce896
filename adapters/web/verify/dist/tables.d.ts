import { Decimal } from "./decimal.js";
/** What is paid, in wagers, by a row's name and what it is for. */
export type Table = ReadonlyMap<string, Decimal[]>;
/** Reads a table as docs/fairness prints it: a word, a number, and what is paid for 0, 1, 2, … */
export declare function table(text: string): Table;
