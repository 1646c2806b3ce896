// Amounts are integers of base units. They become text, and text becomes them, digit by
// digit: nothing passes through a floating-point number.

import type { Integer } from "./json.js";

/** The exact decimal of an amount, such as 1.5 of 1500000 with 6 decimals. */
export function decimal(units: Integer, decimals: number): string {
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return (value < 0n ? "-" : "") + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** The amount that a decimal text says, or null where it says none or is finer than the token. */
export function units(text: string, decimals: number): bigint | null {
  const found = /^\s*(\d*)(?:[.,](\d*))?\s*$/.exec(text);
  if (found === null) return null;
  const [, whole = "", fraction = ""] = found;
  if (whole + fraction === "") return null;
  const kept = fraction.replace(/0+$/, "");
  return kept.length > decimals ? null : BigInt(whole + kept.padEnd(decimals, "0"));
}
