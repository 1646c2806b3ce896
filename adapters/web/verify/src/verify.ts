// Recomputes a round and compares it.

import { Decimal } from "./decimal.js";
import { commitment, Draws, message, type Step } from "./draws.js";
import { Unverifiable } from "./errors.js";
import type { Fraction } from "./fraction.js";
import { games } from "./games/index.js";
import { isObject, parse, same, stringify, type Json } from "./json.js";
import type { Result, Rules } from "./rules.js";
import { hex } from "./sha256.js";
import { openedConfig } from "./stepped.js";

/** All inputs that decide a round. */
export interface Inputs {
  rules: string;
  /** A JSON text, or the result of parse. */
  config: Json;
  serverSeed: string;
  clientSeed: string;
  nonce: bigint | number;
  /** The actions of a step-by-step round, in the same form; null for a round in one call. */
  actions?: Json;
}

export interface Recomputed {
  outcome: { [name: string]: Json };
  multiplier: Decimal;
  /** The multiplier as a fraction, if a decimal may not be exact. */
  exact?: Fraction;
  /** The sum of the config's bets, if it has any; it must equal the wager. */
  sum?: bigint;
  /** The number of first wagers staked, if there may be several; the wager is their sum. */
  staked?: bigint;
  commitment: string;
}

/** The steps from seeds to the result, for display. */
export interface Steps extends Recomputed {
  blocks: { message: string; hmac: string }[];
  draws: Step[];
}

/** A difference: the round's value, and the one that its seeds give. Both are JSON. */
export interface Difference {
  name: "config" | "serverSeedHash" | "outcome" | "multiplier" | "wager" | "payout";
  said: string;
  is: string;
}

export interface Verdict {
  verified: boolean;
  differences: Difference[];
  /** The round is void; only the refund was compared. */
  void: boolean;
}

/** A compared value, equal or not. */
export interface Check extends Difference {
  same: boolean;
}

/** A verdict with all its steps. */
export interface Trace extends Verdict {
  inputs: Inputs;
  /** The result of the seeds, with blocks and draws; null for a void round, which drew nothing. */
  steps: Steps | null;
  /** Where the round's opening is known its config, then commitment, outcome, multiplier, wager and payout, in the order in which they follow. */
  checks: Check[];
}

/** The parts of a round that are fixed even before its server seed is revealed. */
export interface Commitment {
  /** The hash of the server seed, shown before the round. */
  serverSeedHash: string;
  clientSeed: string;
  nonce: bigint;
  /** The authenticated message of its first block. */
  message: string;
}

const AMOUNT_MAX = (1n << 63n) - 1n;
const CLIENT_SEED = /^[\x20-\x7e]{1,64}$/;
const SERVER_SEED = /^[0-9a-f]{64}$/;

/** The result of the seeds, with its blocks and draws. */
export function steps(inputs: Inputs): Steps {
  const { serverSeed, clientSeed } = inputs;
  const known = games.get(inputs.rules);
  if (known === undefined) throw new Unverifiable("unknown rules", `rules ${inputs.rules} are not known here`);
  if (typeof serverSeed !== "string" || !SERVER_SEED.test(serverSeed)) throw malformed("serverSeed is not 64 hexadecimal digits in lower case");
  if (typeof clientSeed !== "string" || !CLIENT_SEED.test(clientSeed)) throw malformed("clientSeed is no text of 1 to 64 printable ASCII characters");
  if (typeof inputs.nonce !== "bigint" && !Number.isSafeInteger(inputs.nonce)) throw malformed("nonce is no integer");
  const nonce = BigInt(inputs.nonce);
  if (nonce < 0n || nonce > AMOUNT_MAX) throw malformed(`nonce is no integer from 0 to ${AMOUNT_MAX}`);
  const draws = new Draws(serverSeed, clientSeed, nonce);
  const config = typeof inputs.config === "string" ? read(inputs.config) : inputs.config;
  return {
    ...decide(known, config, draws, typeof inputs.actions === "string" ? read(inputs.actions) : (inputs.actions ?? null)),
    commitment: commitment(serverSeed),
    blocks: draws.blocks.map((bytes, cursor) => ({ message: message(clientSeed, nonce, cursor), hmac: hex(bytes) })),
    draws: draws.steps,
  };
}

/** The rules' result for draws, in one call or step by step. */
function decide(known: Rules, config: Json, draws: Draws, actions: Json): Result {
  if (actions === null) {
    if (known.play === undefined) throw new Unverifiable("actions", `gameType ${known.game} is played step by step alone: the round has no actions`);
    return known.play(config, draws);
  }
  if (known.take === undefined) throw new Unverifiable("actions", `gameType ${known.game} isn't played step by step: the round has actions`);
  if (!Array.isArray(actions)) throw new Unverifiable("actions", "actions must be a list");
  return known.take(config, draws, actions);
}

/** The result of the seeds. */
export function recompute(inputs: Inputs): Recomputed {
  const { blocks: _blocks, draws: _draws, ...decided } = steps(inputs);
  return decided;
}

/**
 * Compares a round with the result of its seeds. text is the JSON text of GET /history/{id}, or the
 * result of parse. Throws Unverifiable if the round can't be compared.
 */
export function verify(text: Json): Verdict {
  const { verified, differences, void: nothing } = trace(text);
  return { verified, differences, void: nothing };
}

/** The same with all steps: the draws, and every comparison. */
export function trace(text: Json): Trace {
  const round = roundOf(text);
  const inputs = inputsOf(round);
  const hash = wordOf(round, "serverSeedHash");
  const wager = integer(round, "wager");
  const payout = integer(round, "payout");
  const multiplier = member(round, "multiplier");
  const outcome = member(round, "outcome");
  if (!SERVER_SEED.test(inputs.serverSeed)) throw malformed("serverSeed is not 64 hexadecimal digits in lower case");
  // Nothing was drawn of a void round: whatever its rules and config are, the stake went back.
  const drawn = outcome === null ? null : steps(inputs);
  const is: Omit<Recomputed, "outcome"> & { outcome: Json } = drawn ?? { outcome, multiplier: Decimal.of(1n), commitment: commitment(inputs.serverSeed) };

  const checks: Check[] = [];
  const compare = (name: Difference["name"], said: Json, decided: Json, alike = same(said, decided)): void => {
    checks.push({ name, said: stringify(said), is: stringify(decided), same: alike });
  };
  const opened = openedOf(text);
  if (opened !== null && opened["id"] !== round["id"]) throw malformed("opened is no opening of this round");
  if (opened !== null) compare("config", inputs.config, openedBound(inputs.rules, opened));
  compare("serverSeedHash", hash, is.commitment);
  compare("outcome", outcome, is.outcome);
  const shown = is.exact !== undefined && multiplier instanceof Decimal && is.exact.shownAs(multiplier);
  compare("multiplier", multiplier, is.multiplier, shown || same(multiplier, is.multiplier));
  compare("wager", Decimal.of(wager), allowed(is, wager));
  compare("payout", Decimal.of(payout), Decimal.of((is.exact ?? is.multiplier).floorOf(wager)));
  const differences = checks.filter((check) => !check.same).map(({ same: _, ...difference }) => difference);
  return { verified: differences.length === 0, differences, void: drawn === null, inputs, steps: drawn, checks };
}

/** How a stepped round was opened: what POST /rounds answered, which stands beside the round as opened. */
function openedOf(text: Json): { [name: string]: Json } | null {
  const answer = typeof text === "string" ? read(text) : text;
  return isObject(answer) && Object.hasOwn(answer, "opened") ? roundOf(answer["opened"]!) : null;
}

/** The config that a round was opened with, by the published function of what was asked for: members asked, wager and maxPayout. */
export function openedBound(rules: string, opened: { [name: string]: Json }): Json {
  const known = games.get(rules);
  if (known === undefined) throw new Unverifiable("unknown rules", `rules ${rules} are not known here`);
  const wager = integer(opened, "wager");
  if (wager === 0n) throw malformed("opened.wager is 0");
  return openedConfig(known, members(opened, "asked") as { [name: string]: Json }, wager, integer(opened, "maxPayout"));
}

const UNPROVEN: { [source: string]: string } = {
  server: "The house chose both seeds (clientSeedSource server): it could have tried many until they suited it, so the round proves nothing against the house.",
  repeated: "The house knew the client seed when it drew the server seed (clientSeedSource repeated): it could have drawn one that suits it, so the round proves nothing against the house.",
};

/** What a round doesn't prove, and of a void one what its seeds would have paid, in sentences for people. */
export function notes(text: Json): string[] {
  const round = roundOf(text);
  const said: string[] = [];
  if (round["outcome"] === null) said.push(`The round is void: its stake was returned. ${instead(round)}`);
  const source = round["clientSeedSource"];
  if (typeof source === "string" && Object.hasOwn(UNPROVEN, source)) said.push(UNPROVEN[source]!);
  if (Array.isArray(round["actions"]) && games.get(String(round["rules"]))?.greatest !== undefined && openedOf(text) === null) {
    said.push("What was asked for at the opening isn't in the file: whether the round's bound is the published one was not checked (docs/fairness/steps.md).");
  }
  return said;
}

/** What the seeds of a void round would have paid. */
function instead(round: { [name: string]: Json }): string {
  try {
    const would = recompute(inputsOf(round));
    const payout = (would.exact ?? would.multiplier).floorOf(integer(round, "wager"));
    return `Its seeds decide a multiplier of ${would.multiplier}, which would have paid ${payout}. Seeds can't show why a round failed: a house that voids wins has void rounds that would have paid.`;
  } catch (error) {
    if (!(error instanceof Unverifiable)) throw error;
    return `What its seeds would have paid can't be told: ${error.message}`;
  }
}

/** What a round is bound to, which can be held against what was shown before it at any time. */
export function committed(text: Json): Commitment {
  const round = roundOf(text);
  houses(round);
  const clientSeed = wordOf(round, "clientSeed");
  const nonce = integer(round, "nonce");
  return { serverSeedHash: wordOf(round, "serverSeedHash"), clientSeed, nonce, message: message(clientSeed, nonce, 0) };
}

/** The wager, or the value it should have had. */
function allowed({ sum, staked = 1n }: Omit<Recomputed, "outcome">, wager: bigint): Json {
  if (sum !== undefined) return Decimal.of(sum);
  return wager % staked === 0n ? Decimal.of(wager) : `a whole first wager ${staked} times`;
}

/** The inputs in a round. */
export function inputsOf(answer: Json): Inputs {
  const round = roundOf(answer);
  houses(round);
  if ((round["serverSeed"] ?? null) === null) throw new Unverifiable("not revealed", "the server seed is not revealed yet: rotate the seeds and take the round again");
  const rules = wordOf(round, "rules");
  const game = wordOf(round, "gameType");
  if (games.has(rules) && games.get(rules)!.game !== game) throw new Unverifiable("unknown rules", `rules ${rules} are not of the game ${game}`);
  return {
    rules,
    config: members(round, "config"),
    serverSeed: wordOf(round, "serverSeed"),
    clientSeed: wordOf(round, "clientSeed"),
    nonce: integer(round, "nonce"),
    actions: listOf(round, "actions"),
  };
}

function houses(round: { [name: string]: Json }): void {
  const provider = round["provider"] ?? "casino";
  if (provider !== "casino") throw new Unverifiable("a provider's", "a provider of games drew the round: it has no seeds to recompute it from");
}

function malformed(why: string): Unverifiable {
  return new Unverifiable("malformed", `no round: ${why}`);
}

function read(text: string): Json {
  try {
    return parse(text);
  } catch (error) {
    throw malformed((error as Error).message);
  }
}

/** The round itself, from a JSON text or the result of parse; GET /history/{id} returns it as
 * the member round. */
export function roundOf(text: Json): { [name: string]: Json } {
  const answer = typeof text === "string" ? read(text) : text;
  const round = isObject(answer) && Object.hasOwn(answer, "round") ? answer["round"] : answer;
  if (!isObject(round)) throw malformed("it is no object");
  return round;
}

function member(round: { [name: string]: Json }, name: string): Json {
  const value = Object.hasOwn(round, name) ? round[name] : undefined;
  if (value === undefined) throw malformed(`${name} is missing`);
  // JSON.parse converts numbers to doubles, which differ from the round's numbers.
  if (typeof value === "number") throw malformed(`${name} is no exact number: read the round with parse`);
  return value;
}

function wordOf(round: { [name: string]: Json }, name: string): string {
  const value = member(round, name);
  if (typeof value !== "string") throw malformed(`${name} is no text`);
  return value;
}

function members(round: { [name: string]: Json }, name: string): Json {
  const value = member(round, name);
  if (!isObject(value)) throw malformed(`${name} is no object`);
  return value;
}

/** A list that may be missing. */
function listOf(round: { [name: string]: Json }, name: string): Json[] | null {
  const value = Object.hasOwn(round, name) ? member(round, name) : null;
  if (value !== null && !Array.isArray(value)) throw new Unverifiable("actions", `${name} must be a list`);
  return value;
}

function integer(round: { [name: string]: Json }, name: string): bigint {
  const value = member(round, name);
  const units = value instanceof Decimal ? value.in(0) : null;
  if (units === null || units < 0n || units > AMOUNT_MAX) throw malformed(`${name} is no integer from 0 to ${AMOUNT_MAX}`);
  return units;
}
