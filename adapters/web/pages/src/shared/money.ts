// Amounts are integers of base units. They become text, and text becomes them, digit by
// digit: nothing passes through a floating-point number.

import { decimal, units, type Integer } from "@casino-service/client";

export { decimal, units };

const LEAST_SHOWN = 2; // decimals, as money is written

/** An amount as a language writes it, with all its digits. */
export function written(units: Integer, decimals: number, language: string): string {
  const exact = decimal(units, decimals);
  const [whole = "0", fraction = ""] = exact.replace("-", "").split(".");
  const grouped = new Intl.NumberFormat(language).format(BigInt(whole));
  const shown = fraction.padEnd(Math.min(LEAST_SHOWN, decimals), "0");
  return (exact.startsWith("-") ? "−" : "") + grouped + (shown === "" ? "" : mark(language) + shown);
}

/** What a language writes before decimals. */
export function mark(language: string): string {
  return new Intl.NumberFormat(language).formatToParts(1.5).find((part) => part.type === "decimal")?.value ?? ".";
}

/** A multiplier as it is shown: at most four decimals, cut and not rounded up. */
export function times(multiplier: Integer | string): string {
  const [whole = "0", fraction = ""] = plain(String(multiplier)).split(".");
  const cut = fraction.slice(0, 4).replace(/0+$/, "");
  return `${whole}.${cut.padEnd(2, "0")}×`;
}

/** A number's text without an exponent. */
function plain(text: string): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/i.exec(text);
  if (found === null) return text;
  const [, sign = "", whole = "", fraction = "", power = "0"] = found;
  const digits = whole + fraction;
  const point = whole.length + Number(power);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.slice(0, point).padEnd(point, "0") + (point < digits.length ? `.${digits.slice(point)}` : "");
}
