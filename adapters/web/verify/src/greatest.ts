// The most that a bet can pay, by its rules and its config: the rules are played with draws that
// are chosen for the greatest payout. Only what the rules of a game need to be led there stands here.

import { Decimal } from "./decimal.js";
import { Draws } from "./draws.js";
import { Fraction } from "./fraction.js";
import { isObject, type Json } from "./json.js";
import type { Result, Rules } from "./rules.js";
import { openedConfig } from "./stepped.js";

type Members = { [name: string]: Json };

/** Chosen draws: the numbers that pick gives, 0 when they are used up, and what is drawn without replacement. */
class Chosen extends Draws {
  constructor(
    private readonly numbers: bigint[],
    private readonly drawn: (round: number, below: number, count: number) => bigint[] = () => [],
  ) {
    super("", "", 0n);
  }

  private round = 0;

  override next(): bigint {
    return 0n;
  }

  override pick(): bigint {
    return this.numbers.shift() ?? 0n;
  }

  override without(below: number, count: number): bigint[] {
    return this.drawn(this.round++, below, count);
  }
}

const range = (n: number): bigint[] => Array.from({ length: n }, (_, i) => BigInt(i));

function listOf(config: Members, name: string): bigint[] {
  const list = config[name];
  return Array.isArray(list) ? list.map((item) => (item instanceof Decimal ? item.in(0) : null) ?? -1n) : [];
}

/** Numbers of 0 … below - 1, those of a list first or last. */
function ordered(below: number, list: bigint[], first: boolean): bigint[] {
  const others = range(below).filter((number) => !list.includes(number));
  return first ? [...list, ...others] : [...others, ...list];
}

// Cards by which baccarat's player wins, its banker wins, and both tie: a nine and a ten have 9, two tens 0.
const BACCARAT = [[28n, 32n, 32n, 32n], [32n, 32n, 28n, 32n], [28n, 32n, 28n, 32n]];

/** Draws among which are those of the greatest payout of a game that is decided in one call. */
const LEADS: { [game: string]: (config: Members) => Draws[] } = {
  dice: () => [new Chosen([0n]), new Chosen([10000n])],
  limbo: () => [new Chosen([])],
  crash: () => [new Chosen([])],
  coinflip: () => [new Chosen([]), new Chosen(Array<bigint>(20).fill(1n))],
  diamonds: () => [new Chosen([])],
  mines: (config) => [new Chosen([], (_, below, count) => ordered(below, listOf(config, "picks"), false).slice(0, count))],
  plinko: (config) => range(Number(String(config["rows"])) + 1).map((right) => new Chosen(Array<bigint>(Number(right)).fill(1n))),
  keno: (config) => {
    const picks = listOf(config, "picks");
    return range(picks.length + 1).map((hits) => new Chosen([], (_, below, count) => [...picks.slice(0, Number(hits)), ...ordered(below, picks, false)].slice(0, count)));
  },
  wheel: (config) => range(Number(String(config["segments"]))).map((segment) => new Chosen([segment])),
  roulette: () => range(37).map((number) => new Chosen([number])),
  baccarat: () => BACCARAT.map((cards) => new Chosen([...cards])),
  dragontower: (config) => {
    const picks = listOf(config, "picks");
    return [new Chosen([], (level, below, count) => ordered(below, picks.slice(level, level + 1), true).slice(0, count))];
  },
};

const fractionOf = ({ exact, multiplier }: Result): Fraction => exact ?? new Fraction(multiplier.units!, 10n ** BigInt(multiplier.scale));
const isMore = (a: Fraction, b: Fraction): boolean => a.numerator * b.denominator > b.numerator * a.denominator;

/** The greatest payout of guesses about cards: the ranks for which the fewest next ranks are right. */
function hilo(guesses: Json[]): Fraction {
  const ranks = range(13);
  let least = ranks.map(() => 1n); // the least product of how many ranks are right, from each rank on
  for (const guess of [...guesses].reverse()) {
    least = ranks.map((rank) => {
      const right = ranks.filter((next) => guess === "skip" || (guess === "higher" ? next >= rank && (rank > 0n || next > 0n) : next <= rank && (rank < 12n || next < 12n)));
      const ways = guess === "skip" ? 1n : BigInt(right.length);
      return right.map((next) => ways * least[Number(next)]!).reduce((a, b) => (a < b ? a : b));
    });
  }
  return new Fraction(99n * 13n ** BigInt(guesses.filter((guess) => guess !== "skip").length), 100n * least.reduce((a, b) => (a < b ? a : b)));
}

/** The greatest multiplier of a config of a game that is decided in one call; null if it isn't known here. */
export function greatestAtOnce(rules: Rules, config: Json): Fraction | null {
  if (!isObject(config) || rules.play === undefined) return null;
  if (rules.game === "hilo") return Array.isArray(config["guesses"]) ? hilo(config["guesses"]) : null;
  const leads = LEADS[rules.game];
  if (leads === undefined) return null;
  return leads(config).map((draws) => fractionOf(rules.play!(config, draws))).reduce((a, b) => (isMore(b, a) ? b : a));
}

// Games whose rounds have no bound, and those whose worth grows from step to step.
const FIXED: { [game: string]: bigint } = { blackjack: 8n, videopoker: 800n };
const GROWS: { [game: string]: (config: Members, steps: number) => Members } = {
  mines: ({ mines }, steps) => ({ mines: mines!, picks: range(steps).map((tile) => Decimal.of(tile)) }),
  dragontower: ({ difficulty }, steps) => ({ difficulty: difficulty!, picks: Array<Json>(steps).fill(Decimal.of(0n)) }),
};
const HILO_FIRST = new Fraction(429n, 400n); // 1.0725, the least bound

/** What a round of a config is worth after some steps without a loss, null after the last one. */
export function worthAfter(rules: Rules, config: Members, steps: number): Fraction | null {
  if (steps === 0) return new Fraction(99n, 100n);
  const last = rules.game === "mines" ? 25 - Number(String(config["mines"])) : 9;
  return steps > last ? null : greatestAtOnce(rules, GROWS[rules.game]!(config, steps));
}

/** The greatest multiplier of a stepped round as it is opened; null if the round can't be opened, because even its first step passes its bound. */
export function greatestBySteps(rules: Rules, asked: Members, wager: bigint, maxPayout: bigint): Fraction | null {
  const fixed = FIXED[rules.game];
  if (fixed !== undefined) return fixed * wager > maxPayout ? null : new Fraction(fixed, 1n);
  const config = openedConfig(rules, asked, wager, maxPayout) as Members;
  const most = config["maxMultiplier"];
  const bound = most instanceof Decimal ? new Fraction(most.units!, 10n ** BigInt(most.scale)) : rules.greatest!(config);
  if (rules.game === "hilo") return isMore(HILO_FIRST, bound) ? null : isMore(bound, rules.greatest!({})) ? rules.greatest!({}) : bound;
  let worth: Fraction | null = null;
  for (let steps = 1; ; steps++) {
    const next = worthAfter(rules, config, steps);
    if (next === null || isMore(next, bound)) return worth;
    worth = next;
  }
}
