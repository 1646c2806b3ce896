// Signed refusals, as docs/fairness/refusals.md says: what they state is held against the bet that was
// sent, the pair that waited, the balance, and the published limits.

import type { Bet, Members } from "./bets.js";
import { isObject, type Json } from "./json.js";
import { orderDigest } from "./orders.js";
import { MAX, type ReceiptKeys } from "./signatures.js";
import { HEADER, StatementFault, verifyStatement, wholeOf } from "./statements.js";

/** What is known about a bet when it is refused. */
export interface Circumstances {
  /** The player's wallet, null where it isn't known. */
  wallet: string | null;
  /** The commitment and the waiting nonce of the pair, null where they aren't known. */
  commitment: string | null;
  nonce: bigint;
  balance: bigint | null;
  /** The rounds that were open, null where they aren't known. */
  openRounds: bigint | null;
  /** When the answer came, in milliseconds since 1970. */
  at: bigint;
  /** The most that the bet could pay where maxPayout is the limit, null if it isn't known. */
  couldPay: (maxPayout: bigint) => bigint | null;
}

/** The limits that a refusal states. */
export interface StatedLimits {
  token: string;
  minWager: bigint;
  maxWager: bigint;
  maxPayout: bigint;
}

export interface Judgement {
  faults: string[];
  /** The stated limits, null if there is no valid statement. */
  limits: StatedLimits | null;
}

const ALWAYS = [
  "WAGER_OUT_OF_RANGE", "INSUFFICIENT_USER_FUNDS", "LIMIT_EXCEEDED", "PLAYER_EXCLUDED", "PLAYER_FROZEN", "BLOCKED_AGENT",
  "GAME_DISABLED", "TOKEN_NOT_ACCEPTED", "TOO_MANY_OPEN",
];
const SIGNED_WITH: { [code: string]: string[] } = { API_CHECKING: ["paused"], RATE_LIMITED: ["pace"], FORBIDDEN: ["review", "deny"], INVALID_STATE: ["exhausted", "rotated", "played"] };
const NAMES = [
  ...HEADER, "wallet", "order", "game", "wager", "token", "server-seed-hash", "nonce", "code", "reason", "min-wager", "max-wager", "max-payout",
  "room", "could-pay", "balance", "open-rounds",
];
const SKEW = 180_000n; // milliseconds

function reasonOf(error: Members): string {
  const details = isObject(error["details"]) ? error["details"] : {};
  const said = [details["reason"], details["limit"], details["status"]].find((value) => typeof value === "string" && value !== "");
  return (said as string | undefined) ?? "none";
}

/** Whether a refusal with this error has to be signed. */
export function mustBeSigned(error: Members): boolean {
  const code = String(error["code"]);
  return ALWAYS.includes(code) || (Object.hasOwn(SIGNED_WITH, code) && SIGNED_WITH[code]!.includes(reasonOf(error)));
}

/** Judges the refusal of a bet. */
export async function judgeRefusal(bet: Bet, error: Members, keys: ReceiptKeys, known: Circumstances): Promise<Judgement> {
  if (error["receipt"] === undefined) return { faults: mustBeSigned(error) ? ["the refusal is not signed"] : [], limits: null };
  try {
    const facts = await verifyStatement(error["receipt"], keys, "refusal");
    if (facts.length !== NAMES.length || NAMES.some((name, i) => facts[i]![0] !== name)) throw new StatementFault(`its lines are not ${NAMES.join(", ")}`);
    const stated = Object.fromEntries(facts);
    const whole = (name: string): bigint => wholeOf(stated[name]!, name);
    const limits = { token: stated["token"]!, minWager: whole("min-wager"), maxWager: whole("max-wager"), maxPayout: whole("max-payout") };
    return { faults: [...identityFaults(bet, error, stated, known, whole("time")), ...expectationFaults(bet, stated), ...figureFaults(bet, stated["code"]!, whole, known, limits)], limits };
  } catch (fault) {
    if (!(fault instanceof StatementFault)) throw fault;
    return { faults: [fault.message], limits: null };
  }
}

/** Where a statement is not about this bet, at its nonce and time. */
function identityFaults(bet: Bet, error: Members, stated: { [name: string]: string }, known: Circumstances, time: bigint): string[] {
  const { key, ...body } = bet.asked;
  const expected: [name: string, value: Json | undefined][] = [
    ["wallet", known.wallet ?? undefined],
    ["order", orderDigest(bet.route, typeof key === "string" ? key : "", body)],
    ["game", bet.game],
    ["wager", String(bet.wager)],
    ["token", bet.token],
    ["server-seed-hash", known.commitment ?? undefined],
    ["nonce", known.commitment === null ? undefined : String(known.nonce)],
    ["code", String(error["code"])],
    ["reason", reasonOf(error)],
    ["balance", known.balance === null ? undefined : String(known.balance)],
    ["open-rounds", known.openRounds === null ? undefined : String(known.openRounds)],
  ];
  const faults = expected.filter(([name, value]) => value !== undefined && stated[name] !== value).map(([name, value]) => `the statement has the ${name} ${stated[name]}, in fact it is ${value}`);
  const late = time > known.at ? time - known.at : known.at - time;
  return late > SKEW ? [...faults, `the statement is of ${time}, the answer of ${known.at}`] : faults;
}

/** A bet that is refused because of the pair that it expects, while that pair waits. */
function expectationFaults({ asked }: Bet, stated: { [name: string]: string }): string[] {
  const expected: { [reason: string]: [stated: string | undefined, sent: Json | undefined] } = {
    rotated: [stated["server-seed-hash"], asked["expectedServerSeedHash"]],
    played: [stated["nonce"], asked["expectedNonce"]],
  };
  const [is, sent] = stated["code"] === "INVALID_STATE" ? (expected[stated["reason"]!] ?? []) : [];
  return sent !== undefined && String(sent) === is ? [`the bet expects the pair that waits, and the refusal has the reason ${stated["reason"]}`] : [];
}

/** Where the stated figures are wrong, or allow the bet. */
function figureFaults(bet: Bet, code: string, whole: (name: string) => bigint, known: Circumstances, { minWager, maxWager, maxPayout }: StatedLimits): string[] {
  const [room, stated, balance] = ["room", "could-pay", "balance"].map(whole) as [bigint, bigint, bigint];
  if (code === "TOKEN_NOT_ACCEPTED") return [];
  const most = known.couldPay(maxPayout);
  const faults = most === null || most === stated ? [] : [`the statement has the could-pay ${stated}, by the rules it is ${most}`];
  const { wager } = bet;
  const allowed =
    code === "WAGER_OUT_OF_RANGE" ? wager >= minWager && wager <= maxWager && stated <= maxPayout && stated <= room && balance - wager + stated <= MAX
    : code === "INSUFFICIENT_USER_FUNDS" ? wager <= balance
    : false;
  return allowed ? [...faults, "the stated figures allow the bet"] : faults;
}
