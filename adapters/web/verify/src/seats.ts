// One player of a capture: their seed pairs, rounds and balance, line by line.

import { configOf, rulesOf, type Bet, type Members, type PublishedGame } from "./bets.js";
import { Decimal } from "./decimal.js";
import { commitment as commitmentOf } from "./draws.js";
import type { CheckName, Findings } from "./findings.js";
import { isObject, same, stringify, type Json } from "./json.js";
import { judgePair } from "./reveals.js";
import { differencesOf } from "./receipts.js";
import type { Selection } from "./selection.js";
import { integerOf } from "./signatures.js";
import { SharedBets } from "./sharedbets.js";
import { openedConfig } from "./stepped.js";

/** A round as the service answered it, until it is read again. */
export interface Played {
  line: number;
  bet: Bet;
  /** The settled round. */
  round: Members;
  /** The answers while it was open, with their lines. */
  open: { line: number; round: Members }[];
  hasReceipt: boolean;
  /** The balance of the answer. */
  balance: bigint;
}

/** The bets that were declined at one nonce. */
export interface Declined {
  line: number;
  nonce: bigint;
  bets: Bet[];
}

export interface Pair {
  line: number;
  commitment: string;
  clientSeed: string;
  /** The nonce of the first round that the capture can have of it. */
  base: bigint;
  rounds: Played[];
  declined: Declined[];
  /** A void round ended it. */
  ended: boolean;
  /** The seed that was shown as its own, if it has its hash. */
  serverSeed: string | null;
}

/** A round that has not ended. */
interface Open {
  bet: Bet;
  open: { line: number; round: Members }[];
}

/** What the whole file has. */
export interface Shared {
  findings: Findings;
  selection: Selection;
  token: string;
  published: Map<string, PublishedGame>;
  variances: Map<bigint, number>;
  /** Rounds' ids, revealed seeds, commitments and chosen client seeds, none of which may come twice. */
  ids: Set<string>;
  seeds: Set<string>;
  commitments: Set<string>;
  clientSeeds: Set<string>;
  /** The maxPayout that openings state, with their lines, until the last published limits are known. */
  maxPayouts: { line: number; maxPayout: bigint }[];
  rounds: number;
  pairs: number;
}

const SKEW = 180_000n; // milliseconds
const KEEPS = ["nonce", "config", "rules", "gameType", "asked", "maxPayout", "serverSeedHash", "clientSeed"];

/** A member that a line has in another form. */
export class Malformed extends Error {}

export function objectOf(of: Json | undefined, name: string): Members {
  const value = isObject(of) ? of[name] : undefined;
  if (!isObject(value)) throw new Malformed(`${name} is no object`);
  return value;
}

export function textOf(of: Members, name: string): string {
  const value = of[name];
  if (typeof value !== "string") throw new Malformed(`${name} is no text`);
  return value;
}

export function wholeOf(of: Members, name: string): bigint {
  const value = integerOf(of[name]);
  if (value === null || value < 0n) throw new Malformed(`${name} is no whole number from 0 to 9223372036854775807`);
  return value;
}

export class Seat {
  pair: Pair | null = null;
  balance: bigint | null = null;
  /** The balances of answers with a receipt, with its block. */
  readonly proved: { line: number; lane: bigint; seq: bigint; balance: bigint }[] = [];
  opened: Open | null = null;
  readonly bets = new SharedBets(this);
  /** The commitment of the pair after the present one, once it was shown. */
  private next: string | null = null;
  /** The bets that were declined at the waiting nonce. */
  private waiting: Bet[] = [];
  /** The last bet got no answer: it may have been played. */
  private maybePlayed = false;
  private readonly unrevealed = new Set<Pair>();
  /** Rounds that were not read again yet. */
  private readonly awaiting = new Map<string, { played: Played; pair: Pair }>();

  constructor(
    private readonly number: bigint,
    private readonly shared: Shared,
  ) {}

  private found(check: CheckName, line: number, text: string): void {
    this.shared.findings.add(check, line, `player ${this.number}: ${text}`);
  }

  expect(holds: boolean, check: CheckName, line: number, text: string): boolean {
    if (!holds) this.found(check, line, text);
    return holds;
  }

  /** The nonce of the next round. */
  get nonce(): bigint {
    return this.pair === null ? 0n : this.pair.base + BigInt(this.pair.rounds.length);
  }

  /** An answer of GET /seed. */
  seed(line: number, answer: Members): void {
    const shown = textOf(answer, "serverSeedHash");
    this.passOn(shown);
    if (this.pair === null) {
      this.begin(line, shown, textOf(answer, "clientSeed"), wholeOf(answer, "nonce"));
    } else {
      this.expect(shown === this.pair.commitment, "commitment", line, "the commitment of the pair changed");
      this.expect(answer["clientSeed"] === this.pair.clientSeed, "client seed", line, "the client seed of the pair changed");
      const nonce = wholeOf(answer, "nonce");
      this.expect(nonce === this.nonce || (this.maybePlayed && nonce === this.nonce + 1n), "nonce", line, `the next nonce is ${nonce}, after ${this.nonce - this.pair.base} rounds it should be ${this.nonce}`);
    }
    const next = textOf(answer, "nextServerSeedHash");
    this.expect(this.next === null || next === this.next, "commitment", line, "the commitment of the next pair changed");
    this.next = next;
  }

  /** An answer of POST /seed/rotate. */
  rotate(line: number, chosen: Json | undefined, answer: Members): void {
    const revealed = objectOf(answer, "revealed");
    const seed = objectOf(answer, "seed");
    this.passOn(textOf(revealed, "serverSeedHash"));
    if (this.pair !== null) this.reveal(line, this.pair, revealed);
    const commitment = textOf(seed, "serverSeedHash");
    this.expect(this.next !== null, "commitment", line, "the commitment of the new pair was not shown before its client seed was chosen");
    this.expect(this.next === null || commitment === this.next, "commitment", line, "the new pair has another commitment than was promised");
    this.expect(!this.shared.commitments.has(commitment), "commitment", line, "the commitment of the new pair was used before");
    const clientSeed = textOf(seed, "clientSeed");
    this.expect(clientSeed === chosen, "client seed", line, "the pair has another client seed than the chosen one");
    this.expect(seed["clientSeedSource"] === "player", "client seed", line, `the client seed of the pair is called ${stringify(seed["clientSeedSource"] ?? null)}`);
    this.expect(!this.shared.clientSeeds.has(clientSeed), "client seed", line, "the client seed was used before");
    this.expect(wholeOf(seed, "nonce") === 0n, "nonce", line, "the new pair does not begin with the nonce 0");
    this.shared.commitments.add(commitment);
    this.shared.clientSeeds.add(clientSeed);
    this.next = textOf(seed, "nextServerSeedHash");
    this.expect(this.next !== commitment && !this.shared.commitments.has(this.next), "commitment", line, "the promised commitment was used before");
    this.begin(line, commitment, typeof chosen === "string" ? chosen : clientSeed, 0n); // rounds have to follow from the chosen one
  }

  private begin(line: number, commitment: string, clientSeed: string, base: bigint): void {
    this.pair = { line, commitment, clientSeed, base, rounds: [], declined: [], ended: false, serverSeed: null };
    this.unrevealed.add(this.pair);
    this.maybePlayed = false;
  }

  /** Goes on with the promised pair, once an answer names it, after a void round ended the one before. */
  private passOn(commitment: string): void {
    if (this.pair === null || !this.pair.ended || commitment !== this.next || commitment === this.pair.commitment) return;
    const { line, clientSeed } = this.pair;
    this.shared.commitments.add(commitment);
    this.begin(line, commitment, clientSeed, 0n);
    this.next = null;
  }

  private reveal(line: number, pair: Pair, revealed: Members): void {
    this.endNonce(line);
    const serverSeed = textOf(revealed, "serverSeed");
    const holds = this.expect(textOf(revealed, "serverSeedHash") === pair.commitment, "commitment", line, "the revealed pair has another commitment than was shown")
      && this.expect(/^[0-9a-f]{64}$/.test(serverSeed) && commitmentOf(serverSeed) === pair.commitment, "commitment", line, "the revealed seed does not have the hash that was shown");
    this.expect(!this.shared.seeds.has(serverSeed), "commitment", line, "the server seed was used before");
    this.shared.seeds.add(serverSeed);
    this.expect(revealed["clientSeed"] === pair.clientSeed, "client seed", line, "the revealed pair has another client seed");
    const rounds = wholeOf(revealed, "rounds");
    this.expect(rounds === this.nonce || (this.maybePlayed && rounds === this.nonce + 1n), "nonce", line, `the reveal counts ${rounds} rounds, ${this.nonce} were shown`);
    this.unrevealed.delete(pair);
    if (holds) this.judge(pair, serverSeed);
  }

  private judge(pair: Pair, serverSeed: string): void {
    pair.serverSeed = serverSeed;
    this.unrevealed.delete(pair);
    if (pair.rounds.length > 0) this.shared.pairs++;
    judgePair(pair, serverSeed, this.shared);
  }

  /** Notes the bets that were declined at a nonce that no other bet gets. */
  private endNonce(line: number): void {
    if (this.pair !== null && this.waiting.length > 0) this.pair.declined.push({ line, nonce: this.nonce, bets: this.waiting });
    this.waiting = [];
  }

  /** A bet that was refused or got no answer. */
  decline(bet: Bet, answered: boolean): void {
    this.waiting.push(bet);
    this.maybePlayed = !answered;
  }

  /** An answer of POST /play. */
  play(line: number, at: bigint, bet: Bet, answer: Members, hasReceipt: boolean): void {
    const round = objectOf(answer, "round");
    this.compareBet(line, bet, round, configOf(bet, this.publishedOf(line, round, bet.game)));
    this.expect((round["actions"] ?? null) === null, "asked", line, "the round has actions, and none were sent");
    this.expect(same(round["wager"] ?? null, Decimal.of(bet.wager)), "asked", line, `the wager is ${stringify(round["wager"] ?? null)}, ${bet.wager} was sent`);
    this.compareTime(line, at, round);
    this.settle(line, answer, { line, bet, round, open: [], hasReceipt, balance: wholeOf(answer, "balance") }, 0n);
  }

  /** An answer of POST /rounds. */
  open(line: number, at: bigint, bet: Bet, answer: Members, hasReceipt: boolean): void {
    const round = objectOf(answer, "round");
    const published = this.publishedOf(line, round, bet.game);
    this.expect(this.opened === null, "form", line, "a round was opened while another one was open");
    this.compareTime(line, at, round);
    const asked = configOf(bet, published);
    if (round["status"] !== "open") {
      this.compareBet(line, bet, round, asked);
      this.settle(line, answer, { line, bet, round, open: [], hasReceipt, balance: wholeOf(answer, "balance") }, 0n);
      return;
    }
    this.expect(same(round["asked"] ?? null, asked), "asked", line, `the round is of the config ${stringify(round["asked"] ?? null)}, ${stringify(asked)} was sent`);
    const maxPayout = wholeOf(round, "maxPayout");
    this.shared.maxPayouts.push({ line, maxPayout });
    this.compareBet(line, bet, round, bet.wager > 0n ? openedConfig(rulesOf(published), asked, bet.wager, maxPayout) : asked);
    this.expect(same(round["wager"] ?? null, Decimal.of(bet.wager)), "asked", line, `the wager is ${stringify(round["wager"] ?? null)}, ${bet.wager} was sent`);
    this.expect(same(round["actions"] ?? null, []), "asked", line, "the round has actions, and none were sent");
    this.opened = { bet, open: [{ line, round }] };
    this.move(line, answer, -wholeOf(round, "stake"));
  }

  /** An answer of POST /rounds/{id}/steps. */
  step(line: number, at: bigint, sent: Json | undefined, answer: Members, hasReceipt: boolean): void {
    const round = objectOf(answer, "round");
    if (this.opened === null) {
      this.found("form", line, "an action was sent, and no round was open");
      return;
    }
    const { bet, open } = this.opened;
    const before = open.at(-1)!.round;
    const actions = isObject(sent) && Array.isArray(sent["actions"]) ? sent["actions"] : [];
    const all = [...(before["actions"] as Json[]), ...actions];
    this.expect(round["id"] === before["id"], "bound", line, "the step is answered with another round");
    this.expect(actions.length > 0 && same(round["actions"] ?? null, all), "asked", line, `the actions are ${stringify(round["actions"] ?? null)}, ${stringify(all)} were sent`);
    for (const name of KEEPS.filter((name) => Object.hasOwn(round, name))) {
      this.expect(same(round[name]!, before[name] ?? null), "bound", line, `${name} changed since the round was opened`);
    }
    const staked = wholeOf(before, "stake");
    if (round["status"] === "open") {
      this.expect(same(round["wager"] ?? null, Decimal.of(bet.wager)), "asked", line, `the wager is ${stringify(round["wager"] ?? null)}, ${bet.wager} was sent`);
      open.push({ line, round });
      this.move(line, answer, staked - wholeOf(round, "stake"));
      return;
    }
    this.expect(round["token"] === bet.token, "asked", line, "the round is in another token");
    this.opened = null;
    this.compareTime(line, at, round);
    this.settle(line, answer, { line, bet, round, open, hasReceipt, balance: wholeOf(answer, "balance") }, staked);
  }

  /** The published game of a round; rounds of others can't be checked. */
  private publishedOf(line: number, round: Members, game: string): PublishedGame {
    const published = this.shared.published.get(game);
    if (published === undefined) throw new Malformed(`the game ${game} is not among the published ones`);
    this.expect(round["rules"] === published.rules, "rules", line, `the round is by the rules ${stringify(round["rules"] ?? null)}, published are ${published.rules}`);
    return published;
  }

  private compareBet(line: number, bet: Bet, round: Members, config: Json): void {
    for (const [name, sent] of [["gameType", bet.game], ["token", bet.token], ["config", config]] as const) {
      this.expect(same(round[name] ?? null, sent), "asked", line, `${name} is ${stringify(round[name] ?? null)}, asked for was ${stringify(sent)}`);
    }
    for (const [expected, name] of [["expectedServerSeedHash", "serverSeedHash"], ["expectedNonce", "nonce"]] as const) {
      const sent = bet.asked[expected];
      this.expect(sent === undefined || same(sent, round[name] ?? null), "asked", line, `${name} is ${stringify(round[name] ?? null)}, the bet expected ${stringify(sent ?? null)}`);
    }
  }

  compareTime(line: number, at: bigint, round: Members, name = "createdAt"): void {
    const made = wholeOf(round, name);
    this.expect((made > at ? made - at : at - made) <= SKEW, "time", line, `the round is of ${made}, it was answered at ${at}`);
  }

  /** A round that has ended. */
  private settle(line: number, answer: Members, played: Played, staked: bigint): void {
    const { round, bet } = played;
    this.passOn(textOf(round, "serverSeedHash"));
    const { pair } = this;
    const id = textOf(round, "id");
    this.expect(!this.shared.ids.has(id), "nonce", line, `the round ${id} came twice`);
    this.shared.ids.add(id);
    this.shared.rounds++;
    const wager = wholeOf(round, "wager");
    this.move(line, answer, staked - wager + wholeOf(round, "payout"));
    if (pair === null) {
      this.found("commitment", line, "the round was played before a commitment was shown");
      return;
    }
    this.expect(round["serverSeedHash"] === pair.commitment && round["clientSeed"] === pair.clientSeed, "bound", line, `the round ${id} does not name the commitment and the client seed of its pair`);
    this.expect(round["clientSeedSource"] === "player", "client seed", line, `the round ${id} has a client seed that is called ${stringify(round["clientSeedSource"] ?? null)}: it proves nothing against the house`);
    const nonce = wholeOf(round, "nonce");
    this.expect(nonce === this.nonce, "nonce", line, `the round ${id} has the nonce ${nonce}, due is ${this.nonce}`);
    if (round["outcome"] === null) {
      this.found("void", line, `the round ${id} was void`);
      this.waiting.push(bet);
      pair.ended = true;
    }
    this.endNonce(line);
    this.maybePlayed = false;
    pair.rounds.push(played);
    pair.base += nonce - (this.nonce - 1n); // a nonce that was skipped is one finding
    this.awaiting.set(id, { played, pair });
  }

  /** A balance after it moved by an amount. */
  move(line: number, answer: Members, by: bigint): void {
    const balance = wholeOf(answer, "balance");
    this.expect(this.balance === null || balance === this.balance + by, "balance", line, `the balance is ${balance}, it should be ${(this.balance ?? 0n) + by}`);
    this.balance = balance;
  }

  /** An answer of GET /balance. */
  balanced(line: number, answer: Members): void {
    const list = Array.isArray(answer["balances"]) ? answer["balances"].filter(isObject) : [];
    const own = list.find(({ token }) => token === this.shared.token);
    const balance = own === undefined ? 0n : wholeOf(own, "balance");
    this.expect(this.balance === null || this.maybePlayed || balance === this.balance, "balance", line, `the balance is ${balance}, after the last round it was ${this.balance}`);
    this.balance = balance;
  }

  /** An answer of GET /history/{id}. */
  kept(line: number, answer: Members): void {
    const round = objectOf(answer, "round");
    const entry = this.awaiting.get(String(round["id"]));
    if (entry === undefined) {
      this.found("history", line, `the history has a round ${stringify(round["id"] ?? null)} that was not played, or twice`);
      return;
    }
    const { played, pair } = entry;
    this.awaiting.delete(String(round["id"]));
    const serverSeed = round["serverSeed"];
    if (pair.ended && this.unrevealed.has(pair) && typeof serverSeed === "string" && commitmentOf(serverSeed) === pair.commitment) this.judge(pair, serverSeed);
    const changed = differencesOf(played.round, round);
    for (const [name, balance] of Object.entries({ balanceAfter: played.balance, balanceBefore: played.balance - wholeOf(played.round, "payout") + (played.round["actions"] == null ? wholeOf(played.round, "wager") : 0n) })) {
      if (integerOf(round[name]) !== balance) changed.push(name);
    }
    if (pair.serverSeed !== null && serverSeed !== pair.serverSeed) changed.push("serverSeed");
    for (const name of changed) {
      this.found("history", line, `the round ${stringify(round["id"]!)} has another ${name} than when it was played`);
      if (played.hasReceipt && name !== "serverSeed" && !name.startsWith("balance")) this.found("receipt", line, `the round ${stringify(round["id"]!)} has another ${name} than its receipt`);
    }
  }

  /** The end of the file. */
  end(line: number): void {
    if (this.opened !== null) this.found("form", this.opened.open[0]!.line, "the round never ended");
    this.bets.end();
    this.endNonce(line);
    for (const pair of this.unrevealed) {
      if (pair.rounds.length > 0 || pair.declined.length > 0) this.found("commitment", pair.line, "the pair was never revealed");
    }
    for (const [id, { played }] of this.awaiting) this.found("history", played.line, `the history lacks the round ${id}`);
  }
}
