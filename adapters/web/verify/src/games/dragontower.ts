import { Decimal } from "../decimal.js";
import { Fraction } from "../fraction.js";
import { listOf, pays, rules, unplayable, whole, word } from "../rules.js";

const LEVELS = 9;
// Tiles of a level, and behind how many of them is an egg.
const TILES = { easy: [4, 3], medium: [3, 2], hard: [2, 1], expert: [3, 1], master: [4, 1] } as const;

const fields = { difficulty: word("easy", "medium", "hard", "expert", "master"), picks: listOf(LEVELS, whole(0n, 3n, null), [0n]) };

export const dragontower1 = rules("dragontower", fields, ({ difficulty, picks }, draws) => {
  const [tiles, eggs] = TILES[difficulty];
  if (picks.some((pick) => pick >= tiles)) throw unplayable("picks", "must be tiles that the levels have");
  const levels = Array.from({ length: LEVELS }, () => draws.without(tiles, eggs)); // all, however many are climbed
  const wins = picks.every((pick, i) => levels[i]!.includes(pick));
  const power = BigInt(picks.length);
  return {
    outcome: { levels: levels.map((level) => level.map((egg) => Decimal.of(egg))) },
    ...pays(new Fraction(wins ? 99n * BigInt(tiles) ** power : 0n, 100n * BigInt(eggs) ** power)),
  };
});
