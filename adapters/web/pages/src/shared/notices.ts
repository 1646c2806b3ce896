// Short messages of the page: read out by screen readers. Failures stay until they are closed,
// others go after a while.

import { signal } from "@preact/signals";
import { Refusal, Replaced, Unknown, unreached } from "./api";
import { failureTexts, language, t } from "./i18n";
import { chainError, refusalText, type Reader } from "./refusals";

export interface Notice {
  id: number;
  kind: "good" | "bad" | "plain";
  text: string;
  /** What the service, a wallet or the chain said itself. */
  raw?: string | undefined;
}

export const notices = signal<Notice[]>([]);
const SHOWN_MS = 7000;
const NOTICES_MAX = 4;
let last = 0;

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}

/** Shows a message in place of an earlier one of the same text. */
export function say(text: string, kind: Notice["kind"] = "plain", raw?: string, passing = kind !== "bad"): void {
  const id = ++last;
  notices.value = [...notices.value.filter((each) => each.text !== text), { id, kind, text, raw }].slice(-NOTICES_MAX);
  if (passing) setTimeout(() => dismiss(id), SHOWN_MS);
}

let tokenOf: Reader["token"] = () => undefined;

/** Lets failures show amounts in a token's unit; without a mint it finds the chosen token. */
export function knowTokens(find: Reader["token"]): void {
  tokenOf = find;
}

/** An error whose message is in the reader's language. */
export class Told extends Error {}

/** A failure in words that say what to do. */
export function explain(failure: unknown): string {
  if (unreached(failure)) return t("error.unreachable");
  if (failure instanceof Told) return failure.message;
  if (failure instanceof Unknown) return t("error.unknown") + (failure.cause instanceof Refusal && failure.cause.requestId !== "" ? ` (${failure.cause.requestId})` : "");
  if (failureTexts === null) return String(failure);
  if (failure instanceof Refusal && !ofChain(failure)) return refusalText(failure, { texts: failureTexts, language: language.value, token: tokenOf });
  return failureTexts[`chain.${chainError(failure)}`];
}

/** Whether a refusal passes on what the chain said of a transaction. */
function ofChain(failure: Refusal): boolean {
  return failure.code === "EXTERNAL_ERROR" && /program error|simulat|blockhash/i.test(failure.message);
}

const SAYS_MORE = new Set<string>(["INVALID_PARAMETER", "INVALID_STATE", "FORBIDDEN", "EXTERNAL_ERROR"]);

/** What a failure's text leaves out: the message of a wallet or the chain, or of the service where
 * it is more exact. */
export function rawOf(failure: unknown): string | undefined {
  if (failure instanceof Refusal) return SAYS_MORE.has(failure.code) && !failure.message.includes("base units") ? failure.message : undefined;
  if (failure instanceof Told || failure instanceof Unknown || unreached(failure) || chainError(failure) !== "unknown") return undefined;
  return failure instanceof Error ? failure.message : String(failure);
}

export function complain(failure: unknown): void {
  if (failure instanceof Replaced) return;
  const passing = unreached(failure) || (failure instanceof Refusal && (failure.code === "RATE_LIMITED" || failure.code === "UNAVAILABLE"));
  say(explain(failure), "bad", rawOf(failure), passing);
}
