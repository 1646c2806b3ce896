import { Decimal } from "./decimal.js";
/** Reads a table in the format of docs/fairness: a word, a number, and the payouts for 0, 1, 2, … */
export function table(text) {
    const rows = text.trim().split("\n").map((line) => line.trim().split(/ +/));
    return new Map(rows.map(([risk, of, ...pays]) => [`${risk} ${of}`, pays.map(Decimal.read)]));
}
