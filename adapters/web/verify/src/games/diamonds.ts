import { Decimal } from "../decimal.js";
import { rules } from "../rules.js";

const GEMS = ["green", "purple", "yellow", "red", "cyan", "pink", "blue"];

// The sizes of groups of equal gems, largest first: the hand's name, and its payout in tenths.
const HANDS: { [alike: string]: [string, bigint] } = {
  "5": ["five of a kind", 500n],
  "41": ["four of a kind", 50n],
  "32": ["full house", 40n],
  "311": ["three of a kind", 30n],
  "221": ["two pairs", 20n],
  "2111": ["pair", 1n],
  "11111": ["none", 0n],
};

const gem = (pick: bigint): string => GEMS[Number(pick)]!;

export const diamonds1 = rules("diamonds", {}, (_, draws) => {
  const gems = Array.from({ length: 5 }, () => gem(draws.pick(7n, gem)));
  const alike = [...new Set(gems)].map((gem) => gems.filter((other) => other === gem).length);
  const [hand, tenths] = HANDS[alike.sort().reverse().join("")]!;
  return { outcome: { gems, hand }, multiplier: Decimal.of(tenths, 1) };
});
