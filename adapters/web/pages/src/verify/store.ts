// The page's state: the part behind the # of its address, and rounds that don't fit there.

import { signal } from "@preact/signals";
import { type Json } from "@casino-service/verify";
import { fragmentOf } from "../shared/verify-link";
import { AWAITED } from "../shared/hand-over";
import { read, roundIn, type Item } from "./input";
import { verifyAll, type Announced, type Report } from "./many";

export const ROUNDS = "#rounds";
const HELD = "#held";

export const fragment = signal(location.hash);
/** A round that is too long for an address. */
export const held = signal<{ [name: string]: Json } | null>(null);
export const report = signal<Report | null>(null);
/** How many rounds are done, and of how many, during verification. */
export const progress = signal<{ done: number; of: number } | null>(null);
let turn = 0;

export function beginFragment(): void {
  addEventListener("hashchange", () => {
    fragment.value = location.hash;
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  });
}

function go(to: string): void {
  if (location.hash === to) fragment.value = to;
  else location.hash = to;
}

/** Shows one round and puts it into the address. */
export function show(round: { [name: string]: Json }): void {
  const to = fragmentOf(round);
  held.value = to === null ? round : null;
  go(to ?? HELD);
}

export function isHeld(): boolean {
  return fragment.value === HELD && held.value !== null;
}

/** Verifies many rounds and shows the results. */
export async function showMany(items: Item[], announced: Announced | null = null): Promise<void> {
  const mine = ++turn;
  report.value = null;
  progress.value = { done: 0, of: items.length };
  if (fragment.value !== AWAITED) go(ROUNDS);
  const found = await verifyAll(items, announced, (done) => (progress.value = { done, of: items.length }), () => mine !== turn);
  if (found === null) return; // other rounds were given meanwhile
  report.value = found;
  progress.value = null;
}

/** Takes pasted text or a file's; an error says what is wrong with it. */
export function take(text: string): void {
  const given = read(text);
  if ("many" in given) void showMany(given.many);
  else show(roundIn(given.one));
}
