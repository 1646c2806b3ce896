// What the steps of mines and dragon tower pay, as docs/fairness/games.md states it: 99 % of the odds.

/** 0.99 times the product of the fractions, with four decimals, cut off. */
function paid(fractions: [number, number][]): string {
  const [over, under] = fractions.reduce(([a, b], [c, d]) => [a * BigInt(c), b * BigInt(d)], [99n, 100n]);
  const units = ((over * 10000n) / under).toString().padStart(5, "0");
  return `${units.slice(0, -4)}.${units.slice(-4)}`;
}

/** What so many opened tiles of 25 pay among so many mines. */
export function minesPay(mines: number, opened: number): string {
  return paid(Array.from({ length: opened }, (_, i) => [25 - i, 25 - mines - i]));
}

/** What so many levels pay, each with so many tiles of which some hide an egg. */
export function towerPays(tiles: number, eggs: number, levels: number): string {
  return paid(Array.from({ length: levels }, () => [tiles, eggs]));
}
