// Failures in words that say what to do: refusals of the service, and errors of wallets and the chain.

import type { components } from "@casino-service/client";
import { written, type Integer } from "./money.js";

type Failed = components["schemas"]["Error"];
type Details = Failed["details"];
export type Code = Failed["code"];
export type Reason = NonNullable<Details["reason"]>;

/** The texts of a language: each code and each reason has one; further ones say more where the details allow it. */
export type Texts = Record<Code | `reason.${Reason}` | `chain.${ChainError}`, string>;

/** The facts of a refusal. */
export interface Refused {
  code: Code;
  details: Details;
  requestId: string;
  /** Seconds until it may be tried again, 0 if unknown. */
  retryAfter: number;
}

/** Who reads: their texts and language, and the token of amounts that name none. */
export interface Reader {
  texts: Texts;
  language: string;
  token: (mint: string | undefined) => { symbol: string; decimals: number } | undefined;
}

const AMOUNTS = ["min", "max", "maxPayout", "balance", "fee", "left"] as const;
/** What a text says beyond its code, in the order of preference; `code.none` is that nothing is left of a limit. */
const EXACT = ["left", "none", "fee", "balance", "range", "least", "most", "payout", "rounds", "until", "at", "unknown", "field", "request", "wait"];
const VALUE = /\{(\w+)\}/g;

/** The text of a refusal, the most exact one whose values are known. */
export function refusalText(refused: Refused, reader: Reader): string {
  const texts: Record<string, string> = reader.texts;
  const { code, details } = refused;
  const values = valuesOf(refused, reader);
  const exact = EXACT.filter((name) => (name !== "rounds" || details.rounds !== undefined) && (name !== "unknown" || details.outcome === name));
  const keys = [`reason.${details.reason}`, `${code}.${details.status}`, code].flatMap((base) => [...exact.map((name) => `${base}.${name}`), base]);
  for (const key of keys) {
    const text = texts[key];
    if (text !== undefined && [...text.matchAll(VALUE)].every(([, name = ""]) => values[name] !== undefined)) return text.replace(VALUE, (_, name: string) => values[name] ?? "");
  }
  return reader.texts.INTERNAL_ERROR; // of a code that is newer than this page
}

function valuesOf({ details, requestId, retryAfter }: Refused, { texts, language, token }: Reader): Record<string, string | undefined> {
  const of = token(details.token);
  const named: Record<string, string | undefined> = texts;
  const amounts = AMOUNTS.map((name) => {
    const units: Integer | undefined = details[name];
    const shown = units !== undefined && of !== undefined && !(name === "left" && BigInt(units) === 0n);
    return [name, shown ? `${written(units, of.decimals, language)} ${of.symbol}` : undefined];
  });
  const field = details.field?.split(/[.[]/)[0];
  return {
    ...Object.fromEntries(amounts),
    until: moment(details.until, language),
    serverTime: moment(details.serverTime, language),
    limit: details.limit === undefined ? undefined : named[`limit.${details.limit}`],
    field: field === undefined ? undefined : named[`field.${field}`],
    wait: retryAfter > 0 ? waited(retryAfter, language) : undefined,
    request: requestId === "" ? undefined : requestId,
  };
}

/** A moment in the reader's language and time zone. */
function moment(at: Integer | undefined, language: string): string | undefined {
  const form = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
  return at === undefined ? undefined : new Intl.DateTimeFormat(language, form).format(Number(at));
}

const MINUTE = 60;

/** A wait of some seconds, in minutes where those are fewer words. */
function waited(seconds: number, language: string): string {
  const [value, unit] = seconds > 2 * MINUTE ? [Math.ceil(seconds / MINUTE), "minute"] : [Math.ceil(seconds), "second"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

export type ChainError = "declined" | "funds" | "rent" | "expired" | "simulation" | "locked" | "pending" | "busy" | "unknown";

// The first match counts: a failed simulation names its cause too. 4001, 4100, 4900 and -32002 are
// the numbers of the wallets' standard for errors.
const CHAIN: [ChainError, RegExp][] = [
  ["declined", /^4001\b|reject|declin|denied|cancell?ed/i],
  ["pending", /^-32002\b|already pending/i],
  ["locked", /^4[19]00\b|locked|not connected|disconnected|unauthori[sz]ed/i],
  ["rent", /for rent/i],
  ["funds", /custom program error: 0x1\b|insufficient (funds|lamports|balance)|no record of a prior credit|could not find account/i],
  ["expired", /blockhash ?not ?found|block ?height ?exceeded|expired/i],
  ["simulation", /simulat|custom program error|instruction/i],
  ["busy", /\b429\b|too many requests|rate limit/i],
];

/** What an error of a wallet or the chain is about. */
export function chainError(failure: unknown): ChainError {
  const { code = "", message = String(failure) } = (failure ?? {}) as { code?: number | string; message?: string };
  return CHAIN.find(([, pattern]) => pattern.test(`${code} ${message}`))?.[0] ?? "unknown";
}
