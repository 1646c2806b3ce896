// The session. The player's page keeps it for reloads in its tab (sessionStorage) and hands it to
// its other tabs; the console keeps it in memory only. SECURITY.md says what that risks.

import { batch, signal } from "@preact/signals";
import { api, authenticate, Refusal } from "./api";
import { served } from "./config";
import { isNewer, phaseAt, readHeld, untilNextPhase, type Held, type Phase } from "./held";
import { t } from "./i18n";
import { say } from "./notices";
import { reconnect, short, type Account, type Wallet } from "./wallets";

export { short } from "./wallets";

export interface Session {
  wallet: string;
  name: string;
  demo: boolean;
  /** Its wallet, reconnected for each signature. */
  account: Account;
}

/** The session; a renewal doesn't change it. */
export const session = signal<Session | null>(null);
/** The last session, also after its end, until it is signed out or forgotten. */
export const held = signal<Held | null>(null);
export const phase = signal<Phase>("lasting");

// Tabs and storage belong to an origin, which may serve several casinos.
const KEPT = `casino.session ${served.base}`;
type Said = { kind: "ask" | "out" } | { kind: "in" | "answer"; held: Held };
let tabs: BroadcastChannel | null = null;
let lasts = false;
let timer: ReturnType<typeof setTimeout> | undefined;
// The end of the last session that this tab knew of, and how often it was signed out.
let lastEnd: Held | null = null;
let signedOut = 0;
// The sign-out in progress, which ends earlier sessions; the next sign-in waits for it.
let leaving: Promise<unknown> = Promise.resolve();

function tell(said: Said): void {
  tabs?.postMessage(said);
}

/** Reads what the tab kept, or keeps it; nothing where the browser has no storage. */
function kept(): Held | null {
  try {
    return readHeld(JSON.parse(sessionStorage.getItem(KEPT) ?? "null"));
  } catch {
    return null;
  }
}

function keep(): void {
  if (!lasts) return;
  try {
    if (held.peek() === null) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify(held.peek()));
  } catch {
    // The session ends with the page.
  }
}

function begin(next: Held): void {
  const { wallet, name, demo } = next;
  authenticate(next.token, wallet, ended);
  batch(() => {
    held.value = lastEnd = next;
    const now = session.peek();
    if (now?.wallet !== wallet || now.name !== name || now.demo !== demo) {
      const again = () => reconnect(next);
      session.value = { wallet, name, demo, account: { address: wallet, sign: async (text) => (await again()).sign(text), send: async (transaction) => (await again()).send(transaction) } };
    }
  });
  keep();
  watch();
}

function end(left: Held | null): void {
  clearTimeout(timer);
  authenticate(null);
  batch(() => {
    session.value = null;
    held.value = left;
    phase.value = "over";
  });
  keep();
}

/** Ends a session that has expired or was refused; the page offers to renew it. */
function ended(): void {
  if (session.peek() === null) return;
  const left = held.peek();
  end(lasts && left !== null ? { ...left, token: "" } : null);
  if (!lasts) say(t("session.ended"));
}

/** Follows the session to its end, also when the machine slept meanwhile. */
function watch(): void {
  clearTimeout(timer);
  const now = held.peek();
  if (session.peek() === null || now === null) return;
  const before = phase.peek();
  const present = phaseAt(now.endsAt, Date.now());
  if (present === "over") return ended();
  timer = setTimeout(watch, untilNextPhase(now.endsAt, Date.now()));
  if (present === "ending" && before !== "ending" && now.demo && lasts) void renew().catch(() => (phase.value = "ending"));
  else phase.value = present;
}

function hear(data: unknown): void {
  const said = data as Said | null;
  const now = held.peek();
  if (said?.kind === "ask" && now !== null && session.peek() !== null) tell({ kind: "answer", held: now });
  if (said?.kind === "out" && now !== null) {
    forget();
    say(t("session.out"));
  }
  if (said?.kind !== "in" && said?.kind !== "answer") return;
  const theirs = readHeld(said.held);
  if (theirs === null || !isNewer(theirs, said.kind === "in" ? null : lastEnd, Date.now())) return;
  const switched = session.peek() !== null && session.peek()?.wallet !== theirs.wallet;
  begin(theirs);
  if (switched) say(t("session.switched", { wallet: short(theirs.wallet) }));
}

/** Continues the session of before a reload or of another tab, and keeps it for later ones. */
export function beginSession(): void {
  lasts = true;
  const before = kept();
  if (before !== null && before.token !== "" && phaseAt(before.endsAt, Date.now()) !== "over") begin(before);
  else if (before !== null) held.value = lastEnd = { ...before, token: "" };
  keep();
  addEventListener("visibilitychange", watch);
  addEventListener("pageshow", watch);
  tabs = new BroadcastChannel(KEPT);
  tabs.onmessage = ({ data }: MessageEvent<unknown>) => hear(data);
  tell({ kind: "ask" });
}

// How far the service's clock is ahead of this machine's, as far as it refused this machine's time.
let ahead = 0;

/** Signs for a time; if the service finds it stale, once more for the service's time, which later
 * signatures follow. */
export async function atServerTime<T>(what: (timestamp: number) => Promise<T>): Promise<T> {
  try {
    return await what(Date.now() + ahead);
  } catch (failure) {
    const time = failure instanceof Refusal && failure.code === "STALE_TIMESTAMP" ? failure.details.serverTime : undefined;
    if (time === undefined) throw failure;
    ahead = Number(time) - Date.now();
    return what(Number(time));
  }
}

async function signInWith(connecting: Promise<Account>, { name, demo }: Pick<Wallet, "name" | "demo">): Promise<void> {
  const before = signedOut;
  const account = await connecting;
  await leaving;
  const made = await atServerTime(async (timestamp) => {
    const begun = Date.now();
    const signature = await account.sign(`casino-auth:${account.address}:${timestamp}`);
    const { token, expiresAt } = await api.post("/auth/login", { body: { wallet: account.address, timestamp, signature } });
    return { token, endsAt: begun + Number(expiresAt) - timestamp }; // the service's clock showed timestamp at begun
  });
  if (before !== signedOut) return; // signed out meanwhile
  const next = { wallet: account.address, name, demo, ...made };
  begin(next);
  tell({ kind: "in", held: next });
}

export async function signIn(wallet: Wallet): Promise<void> {
  await signInWith(wallet.connect(), wallet);
}

/** Renews the session by a signature of its wallet, also after its end. */
export async function renew(): Promise<void> {
  const now = held.peek();
  if (now !== null) await signInWith(reconnect(now), now);
}

/** Ends all of the wallet's sessions. The page's own ends first: otherwise it would hear that
 * its session is over and read its data once more. */
export async function signOut(): Promise<void> {
  const done = api.post("/auth/logout");
  leaving = done.catch(() => undefined);
  forget();
  tell({ kind: "out" });
  await done;
}

/** Forgets a session that has ended. */
export function forget(): void {
  signedOut++;
  end(null);
}
