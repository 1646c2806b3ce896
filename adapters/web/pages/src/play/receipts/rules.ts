// What the page decides about receipts, without a browser: which answers it keeps, what they show
// against the service, and which keys changed. It checks with @casino-service/verify alone.

import {
  betOf, contradictions, couldPay, differencesOf, games, isObject, judgeRefusal, mustBeSigned, openedBound, parse, roundOf, same, stringify, Unverifiable, verifyReceipt,
  type Bet, type Json, type PublishedGame, type ReceiptKeys, type SignedHead,
} from "@casino-service/verify";

type Members = { [name: string]: Json };

/** The states of a kept answer: not checked; signed and in its block; and shown by the history as well;
 * contradictory; and without a receipt. */
export type State = "new" | "signed" | "right" | "wrong" | "missing";

/** An answer as the page keeps it. */
export interface Kept {
  wallet: string;
  /** The id of its round, withdrawal or deposit; empty for others. */
  id: string;
  of: "receipt" | "refusal";
  path: string;
  /** The body that was sent, its key, and when the answer came. */
  asked: string;
  key: string;
  at: number;
  /** The answer as it was sent. */
  text: string;
  /** Whether it is of a round that has ended. */
  settled: boolean;
  state: State;
  /** What is wrong. */
  fault: string | null;
  head: SignedHead | null;
  /** The block's lane, seq and ledger, once it was checked. */
  place?: string;
  /** The answers that it contradicts, and the round as the history shows it. */
  against: string[];
  shown: string | null;
}

/** The parts of an answer that decide whether it is kept. */
export type Answer = Pick<Kept, "wallet" | "path" | "asked" | "key" | "at" | "text"> & { ok: boolean };

/** The answers that are kept for a wallet. */
export const KEPT_MAX = 5000;

function read(text: string): Members {
  try {
    const value = parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function member(of: Members, name: string): Members | null {
  const value = of[name];
  return isObject(value) ? value : null;
}

/** An answer as it is kept, null for one that the service doesn't sign. */
export function keep({ ok, ...answer }: Answer): Kept | null {
  const said = read(answer.text);
  const hasReceipt = member(said, "receipt") !== null;
  const begun: Omit<Kept, "of"> = {
    ...answer, text: answer.text.replaceAll("\n", ""), id: "", settled: false, state: hasReceipt ? "new" : "missing", fault: null, head: null, against: [], shown: null,
  };
  if (!ok) return hasReceipt || (mustBeSigned(said) && answer.path.split("/").length === 2) ? { ...begun, of: "refusal" } : null;
  const round = member(said, "round");
  const thing = round ?? member(said, "bet") ?? member(said, "withdrawal") ?? member(said, "transaction");
  if (!hasReceipt && round === null && member(said, "bet") === null) return null;
  const id = thing?.["id"];
  return { ...begun, of: "receipt", id: typeof id === "string" ? id : "", settled: round !== null && round["status"] !== "open" };
}

/** How many of the oldest kept answers have to go; contradictory ones stay. */
export function surplus(count: number, max = KEPT_MAX): number {
  return Math.max(0, count - max);
}

export function placeOf(head: SignedHead, next = 0n): string {
  return `${head.lane} ${head.seq + next} ${head.ledger}`;
}

/** What an answer shows by itself. */
export interface Verdict {
  fault: string | null;
  head: SignedHead | null;
}

/** Checks an answer by itself: its signature, its inclusion, what was asked for, and its bound. Fails
 * with NoEd25519 where signatures can't be verified. */
export async function check(kept: Kept, keys: ReceiptKeys, published: Map<string, PublishedGame>): Promise<Verdict> {
  if (kept.of === "refusal") return { fault: await refusalFault(kept, keys, published), head: null };
  const { fault, head, answer } = await verifyReceipt(kept.text, keys, kept.wallet);
  const round = answer === null ? null : member(answer, "round");
  const bet = answer === null ? null : member(answer, "bet");
  return { fault: fault ?? (bet !== null ? betFault(kept, bet) : round === null ? null : (askedFault(kept, round) ?? boundFault(round))), head };
}

const notAsked = (name: string, is: Json | undefined, want: Json) => `asked: ${name} is ${stringify(is ?? null)}, asked for was ${stringify(want)}`;

/** Where a bet on the shared crash, or its cash-out, isn't what the request asked for. */
function betFault({ path, asked }: Kept, bet: Members): string | null {
  const sent = read(asked);
  for (const [name, want] of path === "/crash/cashout" ? [["id", sent["bet"]] as const] : (["token", "wager", "cashOut"] as const).map((each) => [each, sent[each]] as const)) {
    if (want !== undefined && !same(bet[name] ?? null, want)) return notAsked(name, bet[name], want);
  }
  return null;
}

/** Where a round isn't what the request asked for. */
function askedFault({ path, asked }: Kept, round: Members): string | null {
  const sent = read(asked);
  const differs = (name: string, want: Json | undefined) => (want === undefined || same(round[name] ?? null, want) ? null : notAsked(name, round[name], want));
  if (path === "/rounds/{id}/steps") {
    const { step, action } = sent;
    const taken = Array.isArray(round["actions"]) && step !== undefined ? round["actions"][Number(stringify(step))] : undefined;
    return action === undefined || same(taken ?? null, action) ? null : notAsked("action", taken, action);
  }
  const first = [["gameType", "gameType"], ["token", "token"], ["wager", "wager"], ["expectedServerSeedHash", "serverSeedHash"], ["expectedNonce", "nonce"]] as const;
  for (const [name, shown] of first) {
    if (name === "wager" && round["status"] !== "open" && round["actions"] !== undefined && round["actions"] !== null) continue; // all that was staked
    const found = differs(shown, sent[name]);
    if (found !== null) return found;
  }
  if (!games.has(String(round["rules"]))) return null; // an embedder's game may round what it is asked for
  const config = member(round, "asked") ?? member(round, "config") ?? {};
  for (const [name, want] of Object.entries(member(sent, "config") ?? {})) {
    if (name !== "maxMultiplier" && !same(config[name] ?? null, want)) return notAsked(`config.${name}`, config[name], want);
  }
  return null;
}

/** Where a stepped round was opened with another bound than the published function gives. */
function boundFault(round: Members): string | null {
  if (round["status"] !== "open") return null;
  try {
    const bound = openedBound(String(round["rules"]), round);
    return same(round["config"] ?? null, bound) ? null : `bound: config is ${stringify(round["config"] ?? null)}, it follows ${stringify(bound)}`;
  } catch (error) {
    if (error instanceof Unverifiable) return null; // a game that isn't known here
    throw error;
  }
}

// What is refused without a look at the pair that the bet expects.
const BEFORE_THE_PAIR = ["INVALID_STATE", "TOKEN_NOT_ACCEPTED", "GAME_DISABLED", "API_CHECKING"];

async function refusalFault(kept: Kept, keys: ReceiptKeys, published: Map<string, PublishedGame>): Promise<string | null> {
  const error = read(kept.text);
  const sent: Members = { ...read(kept.asked), key: kept.key };
  const bet = betOf(0, sent, null, kept.path === "/rounds");
  if (bet === null) return null;
  const hash = sent["expectedServerSeedHash"];
  const nonce = sent["expectedNonce"];
  const known = typeof hash === "string" && nonce !== undefined && !BEFORE_THE_PAIR.includes(String(error["code"]));
  const { faults } = await judgeRefusal(bet, error, keys, {
    wallet: kept.wallet, commitment: known ? hash : null, nonce: known ? BigInt(stringify(nonce)) : 0n, balance: null, openRounds: null, at: BigInt(kept.at),
    couldPay: (maxPayout) => mostOf(bet, published, maxPayout),
  });
  return faults.length === 0 ? null : `refusal: ${faults[0]}`;
}

function mostOf(bet: Bet, published: Map<string, PublishedGame>, maxPayout: bigint): bigint | null {
  const game = published.get(bet.game);
  try {
    return game === undefined ? null : couldPay(bet, game, maxPayout, null);
  } catch (error) {
    if (error instanceof Unverifiable) return null;
    throw error;
  }
}

const isOfCrash = (path: string): boolean => path.startsWith("/crash/");
const isOfRound = (path: string): boolean => path === "/play" || path.startsWith("/rounds");

// What doesn't change from a round's opening to its end.
const LASTS = ["gameType", "rules", "token", "config", "serverSeedHash", "clientSeed", "clientSeedSource", "nonce"];

/** A checked answer beside the others: neighbours are those of its block, the one before and the one
 * after, siblings those of its round. */
export function compare(kept: Kept, { fault, head }: Verdict, neighbours: Kept[], siblings: Kept[]): Kept {
  const judged = (state: State, why: string | null, against: Kept[] = []): Kept => ({
    ...kept, state, fault: why, head, ...(head !== null && { place: placeOf(head) }), against: against.map(({ text }) => text),
  });
  if (fault !== null) return judged("wrong", fault);
  const others = neighbours.filter((each) => each.head !== null);
  const [split] = contradictions([...others.map((each) => each.head), head]).filter(({ first, second }) => first === others.length || second === others.length);
  if (split !== undefined) return judged("wrong", `two histories: ${split.what}`, [others[Math.min(split.first, split.second)]!]);
  const rounds = siblings.filter(({ state, text, path }) => (state === "signed" || state === "right") && text !== kept.text && isOfRound(path));
  for (const other of isOfRound(kept.path) ? rounds : []) {
    const names = differencesOf(roundOf(parse(kept.text)), roundOf(parse(other.text)));
    const changed = names.find((name) => (kept.settled && other.settled) || LASTS.includes(name));
    if (changed !== undefined) return judged("wrong", `two answers: round ${kept.id} has another ${changed}`, [other]);
  }
  return judged(kept.settled ? "signed" : "right", null);
}

/** A signed round beside the one that the history shows, null for none. */
export function compareShown(kept: Kept, shown: string | null): Kept {
  const ofCrash = isOfCrash(kept.path);
  if (!(kept.settled || (ofCrash && shown !== null)) || (kept.state !== "signed" && kept.state !== "right")) return kept;
  const names = shown === null ? [] : ofCrash ? betDifferences(member(read(kept.text), "bet") ?? {}, roundOf(parse(shown))) : differencesOf(roundOf(parse(kept.text)), roundOf(parse(shown)));
  const fault = shown === null ? `history: round ${kept.id} is missing` : names.length > 0 ? `history: round ${kept.id} has another ${names.join(", ")}` : null;
  return fault === null ? { ...kept, state: "right" } : { ...kept, state: "wrong", fault, shown };
}

/** What a settled bet on the shared crash shows otherwise than the answer to the bet, or to its cash-out. */
function betDifferences(bet: Members, round: Members): string[] {
  const config = member(round, "config") ?? {};
  const [action] = Array.isArray(round["actions"]) ? round["actions"] : [];
  const shown: Members = {
    token: round["token"] ?? null, wager: round["wager"] ?? null, cashOut: config["cashOut"] ?? null, chain: config["chain"] ?? null, round: config["round"] ?? null,
    ...(bet["cashedOut"] !== undefined && { cashedOut: isObject(action) ? (action["multiplier"] ?? null) : null }),
  };
  return Object.keys(shown).filter((name) => !same(shown[name]!, bet[name] ?? null));
}

export type Seal = "waiting" | "right" | "wrong" | "missing";

/** The seal of a round, by what is kept of it; null without the answer that ended it. */
export function sealOf(kept: Kept[]): Seal | null {
  if (kept.some(({ state }) => state === "wrong")) return "wrong";
  const ends = kept.filter(({ settled, path }) => settled || isOfCrash(path)); // a bet on the shared crash has no answer that ends it
  if (ends.length === 0) return null;
  if (ends.some(({ state }) => state === "right")) return "right";
  return ends.every(({ state }) => state === "missing") ? "missing" : "waiting";
}

/** The file of receipts, as verifiers read it: an answer a line. */
export function receiptLines(kept: Kept[]): string {
  return lines(kept.filter(({ of, state }) => of === "receipt" && state !== "missing").map(({ text }) => text));
}

/** The file of refusals: each with what was sent, a line each. */
export function refusalLines(kept: Kept[]): string {
  return lines(kept.filter(({ of }) => of === "refusal").map(({ path, key, asked, text, at }) => `{"route":${JSON.stringify(path)},"key":${JSON.stringify(key)},"at":${at},"asked":${asked},"answered":${text}}`));
}

function lines(texts: string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

export interface File {
  name: string;
  text: string;
}

/** The files that show what is wrong with an answer: those that verifiers read, and the history's round. */
export function evidenceOf(kept: Kept): File[] {
  if (kept.of === "refusal") return [{ name: "refusal.jsonl", text: refusalLines([kept]) }];
  const receipts = { name: "evidence.jsonl", text: lines([...kept.against, kept.text]) };
  if (!kept.fault?.startsWith("history: ")) return [receipts];
  return [receipts, { name: "history.jsonl", text: lines([kept.shown === null ? '{"rounds":[]}' : `{"rounds":[${kept.shown}]}`]) }];
}

/** A public key for receipts, and when this browser saw it first. */
export interface SeenKey {
  kid: string;
  publicKey: string;
  first: number;
}

type ShownKey = Pick<SeenKey, "kid" | "publicKey"> & { use: string };

/** Holds the keys that the service shows against those that were seen. A key that was seen stays the
 * trusted one; new are those of names that weren't seen, changed those with another key or none. */
export function compareKeys(seen: SeenKey[], shown: ShownKey[], now: number): { added: SeenKey[]; changed: string[] } {
  const receipts = shown.filter(({ use }) => use === "receipts");
  const added = receipts.filter(({ kid }) => !seen.some((each) => each.kid === kid)).map(({ kid, publicKey }) => ({ kid, publicKey, first: now }));
  const changed = seen.filter(({ kid, publicKey }) => !receipts.some((each) => each.kid === kid && each.publicKey === publicKey)).map(({ kid }) => kid);
  return { added, changed };
}

/** The file of keys, in the form that verifiers read. */
export function keysText(seen: SeenKey[]): string {
  return JSON.stringify({ keys: seen.map(({ kid, publicKey }) => ({ use: "receipts", kid, publicKey })) });
}
