// The player's receipts, as far as every part of the page has to know of them. What keeps and checks
// them is loaded when the page has nothing else to do; without IndexedDB none is kept, and the page
// works all the same.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { api, onReceipts } from "../shared/api";
import { insist } from "../shared/insist";
import { kept } from "../shared/kept";
import { session } from "../shared/session";
import type { Kept, Seal, SeenKey } from "./receipts/rules";

/** Counts changes of the kept receipts. */
export const receiptsChanged = signal(0);
/** What the kept receipts of the signed-in wallet show against the service. */
export const accused = signal<Kept[]>([]);
/** The names of keys that the service shows otherwise than before, or no more. */
export const changedKeys = signal<string[]>([]);
/** The keys that this browser saw, since when. */
export const keptKeys = signal<SeenKey[]>([]);
/** Whether this browser can't verify signatures here. */
export const unable = signal(false);
/** Whether this browser can't keep receipts here. */
export const unkept = signal(false);

/** The name under which the browser remembers that the service signs receipts. */
export const KNOWN = "casino.receipts";

type Keeper = typeof import("./receipts/keeper");
let loading: Promise<Keeper> | null = null;

/** Loads what keeps receipts. */
export function keeper(): Promise<Keeper> {
  loading ??= import("./receipts/keeper").then((loaded) => {
    loaded.begin();
    return loaded;
  });
  loading.catch(() => (loading = null)); // with the next answer again
  return loading;
}

/** Asks for receipts where the service signs them, or did at an earlier visit. */
export function beginReceipts(): void {
  let signs = kept(KNOWN) !== null;
  if (typeof indexedDB === "undefined") unkept.value = true;
  onReceipts(() => signs && !unkept.value, (heard) => void keeper().then((loaded) => loaded.hear(heard)).catch(() => undefined));
  void insist(async () => {
    const { keys } = await api.get("/public/keys");
    signs ||= keys.some(({ use }) => use === "receipts");
    if (signs && !unkept.value) void keeper().then((loaded) => loaded.takeKeys(keys).catch(() => (unkept.value = true))).catch(() => undefined);
  });
}

/** Holds an answer of GET /history against what is kept. */
export function compareKept(text: string): void {
  const wallet = session.value?.wallet;
  if (wallet !== undefined) loading?.then((loaded) => loaded.compareShownRounds(wallet, text)).catch(() => undefined);
}

/** The seals of rounds of the signed-in wallet, by their ids. */
export function useSeals(ids: string[]): Record<string, Seal> {
  const [found, set] = useState<Record<string, Seal>>({});
  const wallet = session.value?.wallet;
  useEffect(() => {
    if (wallet === undefined || ids.length === 0 || loading === null) return;
    let current = true;
    loading.then((loaded) => loaded.sealsOf(wallet, ids)).then((seals) => current && set(seals)).catch(() => undefined);
    return () => void (current = false);
  }, [wallet, ids.join(" "), receiptsChanged.value]);
  return found;
}
