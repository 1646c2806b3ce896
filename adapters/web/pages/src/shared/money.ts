// Amounts are integers of base units. They are converted to and from text digit by digit, never
// through a floating-point number.

import { decimal, units, type Integer } from "@casino-service/client";

export { decimal, units, type Integer };

const LEAST_SHOWN = 2; // decimals, as usual for money

const formats = new Map<string, { whole: Intl.NumberFormat; mark: string }>();

/** A language's format, made once: that takes as long as using it sixty times. */
function formatOf(language: string): { whole: Intl.NumberFormat; mark: string } {
  const made = formats.get(language);
  if (made !== undefined) return made;
  const whole = new Intl.NumberFormat(language);
  const format = { whole, mark: whole.formatToParts(1.5).find((part) => part.type === "decimal")?.value ?? "." };
  formats.set(language, format);
  return format;
}

/** An amount in a language's format, with all its digits. */
export function written(units: Integer, decimals: number, language: string): string {
  const exact = decimal(units, decimals);
  const [whole = "0", fraction = ""] = exact.replace("-", "").split(".");
  const grouped = formatOf(language).whole.format(BigInt(whole));
  const shown = fraction.padEnd(Math.min(LEAST_SHOWN, decimals), "0");
  return (exact.startsWith("-") ? "−" : "") + grouped + (shown === "" ? "" : mark(language) + shown);
}

/** A result such as a profit: signed, unless it is zero. */
export function signed(net: Integer, decimals: number, language: string): string {
  return (BigInt(net) > 0n ? "+" : "") + written(net, decimals, language);
}

/** The class of a result's colour. */
export function tone(net: Integer): "gain" | "loss" | "muted" {
  const sum = BigInt(net);
  return sum > 0n ? "gain" : sum < 0n ? "loss" : "muted";
}

/** A language's decimal separator. */
export function mark(language: string): string {
  return formatOf(language).mark;
}

/** What a typed text is: an amount, the one or two that it may mean, or what is wrong with it. */
export type Reading =
  | { units: bigint }
  | { choices: bigint[] }
  | { wrong: "empty" | "negative" | "letters" | "fraction" | "form" };

/** Digits with a text's marks as a canonical decimal, or null if they stand wrongly. */
function canonical(text: string, point: string, group: string): string | null {
  const [whole = "", fraction = "", more] = text.split(point);
  const groups = whole.split(group);
  const grouped = groups.length === 1 || (/^[1-9]\d{0,2}$/.test(groups[0] ?? "") && groups.slice(1).every((each) => /^\d{3}$/.test(each)));
  return more === undefined && grouped && /^\d*$/.test(groups.join("") + fraction) ? `${groups.join("")}.${fraction}` : null;
}

/** Reads an amount that is typed in a language, its digits grouped or not. A text that a reader
 * of another language means differently isn't guessed: 1,500 in English is 1500, or 1.5. */
export function reading(text: string, decimals: number, language: string): Reading {
  const digits = text.trim().replace(/[\u00a0\u202f]/g, " ");
  if (digits === "") return { wrong: "empty" };
  if (/^[-−–]/.test(digits)) return { wrong: "negative" };
  if (/[^\d.,\s]/.test(digits)) return { wrong: "letters" };
  const point = mark(language);
  const group = point === "," ? "." : ",";
  const texts = [canonical(digits, point, group), canonical(digits, group, point)];
  const [own = null, other = null] = texts.map((each) => (each === null ? null : units(each, decimals)));
  if (own !== null && (decimals === 0 || other === null || other === own || digits.includes(point))) return { units: own };
  const choices = [own, other].filter((each) => each !== null);
  if (choices.length > 0 && (own !== null || texts[0] === null)) return { choices };
  return { wrong: texts.some((each) => each !== null && each !== ".") ? "fraction" : "form" };
}

/** The amount typed in a language, or null if the text isn't one or may mean two. */
export function typed(text: string, decimals: number, language: string): bigint | null {
  const read = reading(text, decimals, language);
  return "units" in read ? read.units : null;
}

/** Bounds of an amount: it must be above zero too, unless zero is allowed. */
export interface Bounds {
  min?: Integer | undefined;
  max?: Integer | undefined;
  available?: Integer | undefined;
  zero?: boolean | undefined;
}

/** The first bound that an amount breaks, or null: the balance only where it is the lower one. */
export function outside(sum: bigint, { min, max, available, zero }: Bounds): "zero" | "low" | "high" | "balance" | null {
  if (sum === 0n && zero !== true) return "zero";
  if (min !== undefined && sum < BigInt(min) && !(zero === true && sum === 0n)) return "low";
  const short = available !== undefined && sum > BigInt(available);
  if (max !== undefined && sum > BigInt(max) && !(short && BigInt(available) < BigInt(max))) return "high";
  return short ? "balance" : null;
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
