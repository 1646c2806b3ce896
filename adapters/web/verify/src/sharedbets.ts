// One player's bets on the shared crash in a capture, line by line.

import type { Members } from "./bets.js";
import { readCrash, verifyCrash, type CrashAnswer } from "./crash.js";
import { crashMultiplierAt } from "./crashtable.js";
import { Decimal } from "./decimal.js";
import { Unverifiable } from "./errors.js";
import { isObject, same, type Json } from "./json.js";
import { Malformed, objectOf, textOf, wholeOf, type Seat } from "./seats.js";

const hundredths = (value: Json | undefined): bigint | null => (value instanceof Decimal ? value.in(2) : null);

export class SharedBets {
  /** The round before the bet, and the last one that was read after its end. */
  private before: CrashAnswer | null = null;
  private ended: CrashAnswer | null = null;
  /** The bet that has no result yet, as it was last answered. */
  private bet: { line: number; shown: Members } | null = null;

  constructor(private readonly seat: Seat) {}

  /** An answer of GET /crash before a bet. */
  look(line: number, answer: Members): void {
    this.before = readCrash(answer);
    const { round } = this.before;
    if (round === null) throw new Malformed("there is no round to bet on");
    this.seat.expect(round["hash"] === null && round["salt"] === null, "hidden", line, "the hash or the salt is shown while the round takes bets");
  }

  /** An answer of POST /crash/bets. */
  place(line: number, at: bigint, sent: Json | undefined, answer: Members, ids: Set<string>): void {
    const bet = objectOf(answer, "bet");
    if (!isObject(sent) || this.before === null || this.bet !== null) throw new Malformed("no bet is due: it follows a line `shared`, and the result of the bet before");
    const [id, wager, { round }] = [textOf(bet, "id"), wholeOf(sent, "wager"), this.before];
    const chosen = typeof sent["cashOut"] === "string" ? Decimal.read(sent["cashOut"]).in(2) : null;
    const due = bet["chain"] === round!["chain"] && wholeOf(bet, "round") === round!["number"] && bet["token"] === sent["token"] && wholeOf(bet, "wager") === wager;
    const cashOut = hundredths(bet["cashOut"]);
    this.seat.expect(due && (bet["cashedOut"] ?? null) === null, "asked", line, `the bet ${id} has another round, token or wager than asked for, or is cashed out`);
    this.seat.expect(cashOut !== null && (chosen === null || cashOut === chosen), "asked", line, `the bet ${id} has another automatic cash-out than asked for`);
    this.seat.expect(!ids.has(id), "nonce", line, `the round ${id} came twice`);
    ids.add(id);
    this.answered(line, at, answer, bet, "createdAt", wager);
  }

  /** An answer of POST /crash/cashout. */
  cashOut(line: number, at: bigint, answer: Members): void {
    const bet = objectOf(answer, "bet");
    const { cashedOut = null, receivedAt: _, ...placed } = bet;
    const holds = cashedOut !== null && this.bet !== null && same(placed, this.bet.shown);
    this.seat.expect(holds, "asked", line, "the cash-out answers another bet, or is the second one of it");
    this.answered(line, at, answer, bet, "receivedAt", 0n);
  }

  private answered(line: number, at: bigint, answer: Members, bet: Members, time: string, wager: bigint): void {
    this.seat.compareTime(line, at, bet, time);
    this.seat.move(line, answer, -wager);
    this.bet = { line, shown: bet };
  }

  /** An answer of GET /crash/rounds/{number} after the end. */
  settle(line: number, answered: Members): void {
    const answer = readCrash(answered);
    if (this.bet === null) throw new Malformed("no bet waits for the result of a round");
    const { shown } = this.bet;
    const expect = (holds: boolean, text: string): boolean => this.seat.expect(holds, "shared crash", line, text);
    const { before, ended } = this;
    [this.bet, this.ended] = [null, answer];
    try {
      for (const { check, text } of verifyCrash(answer, before).findings) expect(false, `${check}: ${text}`);
      const follows = ended?.chain["id"] === answer.chain["id"] ? verifyCrash(answer, ended).findings : [];
      for (const { check, text } of follows) if (check === "before") expect(false, `after the round before: ${text}`);
    } catch (error) {
      if (!(error instanceof Unverifiable)) throw error;
      expect(false, error.message);
    }
    const round = answer.round ?? {};
    const own = answer.bets.find(({ id }) => id === shown["id"]);
    const payout = (own?.["payout"] ?? null) as bigint | null;
    if (!expect(payout !== null && round["chain"] === shown["chain"] && round["number"] === wholeOf(shown, "round"), "the round has no such bet, or no result of it")) return;
    const [cashOut, cashedOut] = [hundredths(shown["cashOut"]), hundredths(shown["cashedOut"])];
    const alike = own!["token"] === shown["token"] && own!["wager"] === wholeOf(shown, "wager") && own!["cashOut"] === cashOut && own!["cashedOut"] === cashedOut;
    expect(alike, "the round has the bet with another token, wager or cash-out than it was answered");
    if (cashedOut !== null) {
      const curve = BigInt(crashMultiplierAt(Number(wholeOf(shown, "receivedAt") - ((round["startedAt"] as bigint | null) ?? 0n))));
      const worth = cashOut !== null && cashOut < curve ? cashOut : curve;
      expect(cashedOut === worth, `the cash-out is worth ${cashedOut} hundredths, when it was received it was ${worth}`);
    }
    this.seat.balance = (this.seat.balance ?? 0n) + payout!;
  }

  /** The end of the file. */
  end(): void {
    if (this.bet !== null) this.seat.expect(false, "shared crash", this.bet.line, "the round of this bet was not read after its end");
  }
}
