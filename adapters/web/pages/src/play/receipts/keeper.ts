// Keeps the player's receipts, checks them while the page has nothing else to do, and compares them
// with the history.

import { NoEd25519, parse as parseExact, publishedGames, readReceiptKeys, roundOf, stringify, type PublishedGame, type ReceiptKeys } from "@casino-service/verify";
import { api, Refusal, type Heard } from "../../shared/api";
import { t } from "../../shared/i18n";
import { idle } from "../../shared/idle";
import { keep as keepChoice } from "../../shared/kept";
import { say } from "../../shared/notices";
import { session } from "../../shared/session";
import { roundsOf } from "../account/rounds-of";
import { accused, changedKeys, keptKeys, KNOWN, receiptsChanged, unable, unkept } from "../receipts";
import { add, change, inState, judge, newestRounds, seenKeys } from "./database";
import { check, compareKeys, compareShown, keep, keysText, type Kept, type SeenKey } from "./rules";

export { all, counts, sealsOf } from "./database";

const PAGE = 100;
const SINGLY_MAX = 10;
const SETTLE_MS = 2000; // before the history is read for what was just played
const AGAIN_MS = 30_000;

// Other tabs of this browser.
const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("casino.receipts");

function changed(): void {
  receiptsChanged.value++;
  tabs?.postMessage(0);
}

/** Reads what was found against the service, for the page to show it. */
async function readAccused(): Promise<void> {
  const wallet = session.value?.wallet;
  const found = wallet === undefined ? [] : (await inState(wallet, "wrong", PAGE)).map(([, kept]) => kept);
  if (wallet !== session.value?.wallet) return;
  const before = accused.value;
  accused.value = found;
  const fresh = found.find(({ text }) => !before.some((each) => each.text === text));
  if (fresh !== undefined) say(t("receipts.contradiction", { what: fresh.fault ?? "" }), "bad");
}

type ShownKeys = Parameters<typeof compareKeys>[1];
let keys: SeenKey[] = [];

/** Takes what GET /public/keys showed: new keys are kept, and those that changed are said. */
export async function takeKeys(shown: ShownKeys): Promise<void> {
  let changedNow: string[] = [];
  keys = await seenKeys((seen) => {
    const { added, changed: names } = compareKeys(seen, shown, Date.now());
    changedNow = names;
    return added;
  });
  keptKeys.value = keys;
  if (keys.length > 0) keepChoice(KNOWN, "1");
  if (changedNow.some((kid) => !changedKeys.value.includes(kid))) say(t("receipts.keys.changed", { names: changedNow.join(", ") }), "bad");
  changedKeys.value = changedNow;
}

/** Keeps an answer. */
export async function hear(heard: Heard): Promise<void> {
  const kept = keep(heard);
  if (kept === null || kept.wallet === "") return;
  try {
    await add(kept);
  } catch (failure) {
    unkept.value = true; // there is no room for it, or no storage
    throw failure;
  }
  changed();
  void work();
}

let working = false;
let wanted = false;
let again: ReturnType<typeof setTimeout> | undefined;

/** Checks what is kept of the signed-in wallet, until nothing is left to check. */
export async function work(): Promise<void> {
  wanted = true;
  if (working) return;
  working = true;
  clearTimeout(again);
  try {
    while (wanted) {
      wanted = false;
      await readAccused();
      const wallet = session.value?.wallet;
      if (wallet !== undefined) await workFor(wallet);
    }
  } catch (failure) {
    if (failure instanceof NoEd25519) unable.value = true;
    else again = setTimeout(() => void work(), AGAIN_MS); // the service or the storage failed
  } finally {
    working = false;
  }
}

async function workFor(wallet: string): Promise<void> {
  let trusted: ReceiptKeys | null = null;
  let games: Map<string, PublishedGame> | null = null;
  for (;;) {
    const [next] = unable.value ? [] : await inState(wallet, "new", 1);
    if (next === undefined) break;
    await idle();
    const [key, kept] = next;
    if (trusted === null || isUnknown(kept, trusted)) trusted = await readKeys();
    if (kept.of === "refusal") games ??= publishedGames(parseExact(await api.text("/public/games")));
    await judge(key, await check(kept, trusted, games ?? new Map()));
    await readAccused();
    changed();
  }
  const signed = await inState(wallet, "signed", PAGE);
  const ids = compared === wallet ? signed.map(([, { id }]) => id) : await newestRounds(wallet, PAGE);
  if (ids.length === 0) return;
  await new Promise((later) => setTimeout(later, SETTLE_MS));
  if (session.value?.wallet !== wallet) return;
  await compareWithHistory(wallet, ids);
  compared = wallet;
}

// The wallet whose newest rounds were compared with the history since it signed in.
let compared = "";

/** Whether an answer is signed by a key that this page hasn't seen. */
function isUnknown({ text }: Kept, trusted: ReceiptKeys): boolean {
  const kid = /"kid":"([^"\\]*)"/.exec(text)?.[1];
  return kid !== undefined && !trusted.has(kid);
}

async function readKeys(): Promise<ReceiptKeys> {
  await takeKeys((await api.get("/public/keys")).keys);
  return readReceiptKeys(keysText(keys));
}

/** Compares rounds with the newest page of the history, and those that it lacks singly. */
async function compareWithHistory(wallet: string, ids: string[]): Promise<void> {
  const page = shownIn(await api.text("/history", { query: { limit: PAGE } }));
  await settle(wallet, page);
  const left = ids.filter((id) => !page.has(id));
  for (const id of left.slice(0, SINGLY_MAX)) {
    const text = await api.text("/history/{id}", { path: { id } }).catch((failure: unknown) => {
      if (failure instanceof Refusal && failure.status === 404) return null;
      throw failure;
    });
    if (session.value?.wallet !== wallet) return;
    await settle(wallet, new Map([[id, text === null ? null : stringify(roundOf(text))]]));
  }
  wanted ||= left.length > SINGLY_MAX && (await inState(wallet, "signed", 1)).length > 0;
}

/** The rounds of an answer of GET /history, by their ids. */
function shownIn(text: string): Map<string, string> {
  return new Map(roundsOf(text).map((round) => [String(roundOf(round)["id"]), stringify(round)]));
}

/** Compares the rounds of an answer of GET /history with what is kept of them. */
export async function compareShownRounds(wallet: string, text: string): Promise<void> {
  await settle(wallet, shownIn(text));
}

async function settle(wallet: string, shown: ReadonlyMap<string, string | null>): Promise<void> {
  if (!(await change(wallet, [...shown.keys()], (kept) => compareShown(kept, shown.get(kept.id) ?? null)))) return;
  await readAccused();
  changed();
}

/** Begins to watch: whoever signs in sees what was found before, and what wasn't checked yet is. */
export function begin(): void {
  if (tabs !== null) tabs.onmessage = () => {
    receiptsChanged.value++;
    void readAccused().catch(() => undefined);
  };
  session.subscribe(() => {
    accused.value = [];
    compared = "";
    receiptsChanged.value++;
    void work();
  });
}
