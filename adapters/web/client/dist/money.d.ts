import type { Integer } from "./json.js";
/** The exact decimal of an amount, such as 1.5 of 1500000 with 6 decimals. */
export declare function decimal(units: Integer, decimals: number): string;
/** The amount that a decimal text says, or null where it says none or is finer than the token.
 * The text is canonical: digits, and a point before decimals. Grouped digits and a decimal comma
 * are a RangeError: "1,500" is 1500 in one language and 1.5 in another. */
export declare function units(text: string, decimals: number): bigint | null;
