// The session. The token is kept in memory only: a reloaded page asks the wallet again, and nothing
// that reads the browser's storage finds the token.

import { signal } from "@preact/signals";
import { api, authenticate, Refusal } from "./api";
import { t } from "./i18n";
import { say } from "./notices";
import type { Account, Wallet } from "./wallets";

export interface Session {
  wallet: string;
  name: string;
  demo: boolean;
  expiresAt: number;
  account: Account;
}

export const session = signal<Session | null>(null);
let expiry: ReturnType<typeof setTimeout> | undefined;
// The sign-out in progress, which ends earlier sessions; the next sign-in waits for it.
let leaving: Promise<unknown> = Promise.resolve();

function end(): void {
  clearTimeout(expiry);
  authenticate(null);
  session.value = null;
}

function ended(): void {
  if (session.value === null) return;
  end();
  say(t("session.ended"));
}

/** Signs for a time; if the service finds this machine's time stale, once more for the service's
 * time. */
export async function atServerTime<T>(what: (timestamp: number) => Promise<T>): Promise<T> {
  try {
    return await what(Date.now());
  } catch (failure) {
    const time = failure instanceof Refusal && failure.code === "STALE_TIMESTAMP" ? failure.details.serverTime : undefined;
    if (time === undefined) throw failure;
    return what(Number(time));
  }
}

export async function signIn(wallet: Wallet): Promise<void> {
  const account = await wallet.connect();
  await leaving;
  const made = await atServerTime(async (timestamp) => {
    const signature = await account.sign(`casino-auth:${account.address}:${timestamp}`);
    return api.post("/auth/login", { body: { wallet: account.address, timestamp, signature } });
  });
  authenticate(made.token, account.address, ended);
  clearTimeout(expiry);
  expiry = setTimeout(ended, Number(made.expiresAt) - Date.now());
  session.value = { wallet: account.address, name: wallet.name, demo: wallet.demo, expiresAt: Number(made.expiresAt), account };
}

/** Ends all of the wallet's sessions. The page's own ends first: otherwise it would hear that
 * its session is over and read its data once more. */
export async function signOut(): Promise<void> {
  const done = api.post("/auth/logout");
  leaving = done.catch(() => undefined);
  end();
  await done;
}

export function short(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}
