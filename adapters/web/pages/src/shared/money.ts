// Amounts are integers of base units. They are converted to and from text digit by digit, never
// through a floating-point number.

import { decimal, units, type Integer } from "@casino-service/client";

export { decimal, units };

const LEAST_SHOWN = 2; // decimals, as usual for money

/** An amount in a language's format, with all its digits. */
export function written(units: Integer, decimals: number, language: string): string {
  const exact = decimal(units, decimals);
  const [whole = "0", fraction = ""] = exact.replace("-", "").split(".");
  const grouped = new Intl.NumberFormat(language).format(BigInt(whole));
  const shown = fraction.padEnd(Math.min(LEAST_SHOWN, decimals), "0");
  return (exact.startsWith("-") ? "−" : "") + grouped + (shown === "" ? "" : mark(language) + shown);
}

/** A language's decimal separator. */
export function mark(language: string): string {
  return new Intl.NumberFormat(language).formatToParts(1.5).find((part) => part.type === "decimal")?.value ?? ".";
}

/** The amount typed in a language, or null if the text isn't one. Digits may be grouped as the
 * language groups them; a text that another language reads differently, such as a decimal comma
 * in English, is null and not a guess. */
export function typed(text: string, decimals: number, language: string): bigint | null {
  const parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(12345678.5);
  const of = (type: string, otherwise: string) => parts.find((part) => part.type === type)?.value ?? otherwise;
  const point = of("decimal", ".");
  const [whole = "", fraction, more] = text.trim().split(point);
  if (more !== undefined || !/^\d*$/.test(fraction ?? "")) return null;
  const groups = whole.replace(/\s/g, " ").split(of("group", ",").replace(/\s/g, " "));
  const grouped = groups.length === 1 ? /^\d*$/.test(whole) : /^[1-9]\d{0,2}$/.test(groups[0] ?? "") && groups.slice(1).every((each) => /^\d{3}$/.test(each));
  return grouped ? units(`${groups.join("")}.${fraction ?? ""}`, decimals) : null;
}

/** An amount as typed in a language: all its digits, not grouped. */
export function entry(units: Integer, decimals: number, language: string): string {
  return decimal(units, decimals).replace(".", mark(language));
}

/** A multiplier for display: at most four decimals, cut off and not rounded up. */
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
