// Links to the page that verifies. The round is in the fragment, as base64url of its JSON: browsers
// never send the fragment, and the page needs nothing else.

import { stringify, type Json } from "@casino-service/verify";
import { served } from "./config";

/** The maximum length of a fragment, in characters. */
export const FRAGMENT_MAX = 65_536;

const BEGINS = "#round=";

// The members needed to verify and name a round. Balances are left out, because links are passed
// on.
const MEMBERS = [
  "id", "provider", "gameType", "rules", "config", "actions", "outcome", "multiplier", "token", "wager", "payout",
  "serverSeedHash", "serverSeed", "clientSeed", "clientSeedSource", "nonce", "createdAt",
];

export interface RoundJson {
  [name: string]: Json;
}

/** The fragment with a round, or null if it would be too long. */
export function fragmentOf(round: RoundJson): string | null {
  const kept = Object.fromEntries(MEMBERS.flatMap((name) => (Object.hasOwn(round, name) ? [[name, round[name]!]] : [])));
  const bytes = new TextEncoder().encode(stringify(kept));
  if (bytes.length > FRAGMENT_MAX) return null;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const fragment = BEGINS + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return fragment.length > FRAGMENT_MAX ? null : fragment;
}

/** The link to verify a round; without one, the page where rounds can be entered. */
export function verifyLink(round?: RoundJson): string {
  return `${served.path}/verify${(round && fragmentOf(round)) ?? ""}`;
}

/** The JSON text in a fragment; null if it has no round, an error if it can't be read. */
export function textIn(fragment: string): string | null {
  if (!fragment.startsWith(BEGINS)) return null;
  if (fragment.length > FRAGMENT_MAX) throw new RangeError("the fragment is too long");
  const text = fragment.slice(BEGINS.length);
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw new SyntaxError("the fragment is no base64url");
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
