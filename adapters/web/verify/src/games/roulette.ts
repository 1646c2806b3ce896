import { Decimal } from "../decimal.js";
import { Fraction } from "../fraction.js";
import { AMOUNT, listOf, numbers, pays, record, rules, sumOf, unplayable, word } from "../rules.js";

const RED = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36];

function from(first: number, count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, i) => first + i * step);
}

// Bets with numbers determined by their names.
const NAMED: { [type: string]: number[] } = {
  column1: from(1, 12, 3), column2: from(2, 12, 3), column3: from(3, 12, 3),
  dozen1: from(1, 12), dozen2: from(13, 12), dozen3: from(25, 12),
  red: RED, black: from(1, 36).filter((number) => !RED.includes(number)),
  odd: from(1, 18, 2), even: from(2, 18, 2), low: from(1, 18), high: from(19, 18),
};

// Bets with numbers chosen by the player: the adjacent sets of the table, ascending.
const SETS: { [type: string]: Set<string> } = {
  straight: sets(from(0, 37).map((a) => [a])),
  split: sets(from(1, 35).filter((a) => a % 3 !== 0).map((a) => [a, a + 1]), from(1, 33).map((a) => [a, a + 3]), [[0, 1], [0, 2], [0, 3]]),
  street: sets(from(1, 12, 3).map((a) => from(a, 3)), [[0, 1, 2], [0, 2, 3]]),
  corner: sets(from(1, 32).filter((a) => a % 3 !== 0).map((a) => [a, a + 1, a + 3, a + 4]), [[0, 1, 2, 3]]),
  line: sets(from(1, 11, 3).map((a) => from(a, 6))),
};

function sets(...all: number[][][]): Set<string> {
  return new Set(all.flat().map(String));
}

const bet = record({ type: word("red", ...Object.keys(SETS), ...Object.keys(NAMED)), numbers: numbers(6, 36n, []), amount: AMOUNT }, ["type", "amount"]);

/** The numbers of a bet. */
function on(type: string, said: bigint[]): number[] {
  const own = said.map(Number).sort((a, b) => a - b);
  const named = NAMED[type];
  if (named === undefined ? !SETS[type]!.has(String(own)) : own.length > 0) throw unplayable("bets", `must have the numbers of a ${type}`);
  return named ?? own;
}

// A bet of the whole wager.
const STANDARD = [{ type: "red", numbers: [] as bigint[], amount: 1n }];

export const roulette1 = rules("roulette", { bets: listOf(64, bet, STANDARD) }, ({ bets }, draws) => {
  const sum = sumOf(bets);
  const laid = bets.map(({ type, numbers, amount }) => ({ on: on(type, numbers), amount }));
  const number = draws.pick(37n);
  const paid = laid.reduce((all, { on, amount }) => (on.includes(Number(number)) ? all + amount * BigInt(36 / on.length) : all), 0n);
  return { outcome: { number: Decimal.of(number) }, ...pays(new Fraction(paid, sum)), ...(bets === STANDARD ? {} : { sum }) };
});
