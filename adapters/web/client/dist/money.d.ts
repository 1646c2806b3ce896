import type { Integer } from "./json.js";
/** The exact decimal of an amount: 1.5 for 1500000 with 6 decimals. */
export declare function decimal(units: Integer, decimals: number): string;
/** The amount in a decimal text, or null if it isn't one or has too many decimals for the token.
 * The text must be canonical: digits, and a point before decimals. Grouped digits and a decimal
 * comma are a RangeError, because "1,500" is 1500 in one language and 1.5 in another. */
export declare function units(text: string, decimals: number): bigint | null;
