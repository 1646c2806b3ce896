import { Decimal } from "../decimal.js";
import { Fraction } from "../fraction.js";
import type { Draws } from "../draws.js";
import { listOf, pays, rules, unplayable, whole, word, type Result } from "../rules.js";
import { among, checkBound, maxMultiplier, passes, stepped, type Round } from "../stepped.js";

const LEVELS = 9;
// The tiles of a level, and how many of them hide an egg.
const TILES = { easy: [4, 3], medium: [3, 2], hard: [2, 1], expert: [3, 1], master: [4, 1] } as const;

const difficulty = word("easy", "medium", "hard", "expert", "master");

/** The value of a round after some levels. */
function worth(difficulty: keyof typeof TILES, levels: number): Fraction {
  const [tiles, eggs] = TILES[difficulty];
  return new Fraction(99n * BigInt(tiles) ** BigInt(levels), 100n * BigInt(eggs) ** BigInt(levels));
}

const atOnce = rules("dragontower", { difficulty, picks: listOf(LEVELS, whole(0n, 3n, null), [0n]) }, ({ difficulty, picks }, draws) => {
  const [tiles, eggs] = TILES[difficulty];
  if (picks.some((pick) => pick >= tiles)) throw unplayable("picks", "must be tiles that the levels have");
  const levels = Array.from({ length: LEVELS }, () => draws.without(tiles, eggs)); // all, however many are climbed
  const wins = picks.every((pick, i) => levels[i]!.includes(pick));
  return { outcome: { levels: shown(levels) }, ...pays(wins ? worth(difficulty, picks.length) : NOTHING) };
});

const NOTHING = new Fraction(0n, 1n);

function shown(levels: bigint[][]): Decimal[][] {
  return levels.map((level) => level.map((egg) => Decimal.of(egg)));
}

type Action = { type: "climb"; tile: bigint } | { type: "cashOut" };

function* climb({ difficulty, maxMultiplier: most }: { difficulty: keyof typeof TILES; maxMultiplier: bigint | null }, draws: Draws): Round<Action> {
  checkBound(worth(difficulty, 1), most);
  const [tiles, eggs] = TILES[difficulty];
  const levels = Array.from({ length: LEVELS }, () => draws.without(tiles, eggs));
  const row = Array.from({ length: tiles }, (_, tile) => BigInt(tile));
  const picks: bigint[] = [];
  const ended = (multiplier: Fraction): Result => ({ outcome: { picks: picks.map((one) => Decimal.of(one)), levels: shown(levels) }, ...pays(multiplier) });
  while (picks.length < LEVELS && !passes(worth(difficulty, picks.length + 1), most)) {
    const action = yield { climb: { tile: among(row) }, cashOut: {} };
    if (action.type === "cashOut") break;
    picks.push(action.tile);
    if (!levels[picks.length - 1]!.includes(action.tile)) return ended(NOTHING);
  }
  return ended(worth(difficulty, picks.length));
}

export const dragontower1 = { ...atOnce, ...stepped("dragontower", { difficulty, maxMultiplier }, climb, ({ difficulty }) => worth(difficulty, LEVELS)) };
