import assert from "node:assert/strict";
import test from "node:test";
import { minesPay, towerPays } from "../built/play/boards/returns.js";
import { colour, numberAt, placesOf, POCKETS } from "../built/play/boards/roulette-places.js";

/** The cell of a number on the table: its column from the left, its row from above. */
const cell = (n) => [Math.ceil(n / 3) - 1, (3 - (n % 3)) % 3];

/** Where the chip of some numbers stands, by the manual's table of bets and not by placesOf. */
function middle(numbers) {
  const cells = numbers.filter((n) => n > 0).map(cell);
  const of = (axis) => cells.map((each) => each[axis]);
  const whole = (each) => (Math.min(...each) + Math.max(...each) + 1) / 2;
  const x = numbers.includes(0) ? 0 : whole(of(0));
  const below = numbers.length % 3 === 0 && !numbers.includes(0); // streets and lines stand at the lower edge
  return [x, below || numbers.length === 4 && numbers.includes(0) ? 3 : whole(of(1))];
}

test("the table has each number once, three in a column", () => {
  const all = Array.from({ length: 36 }, (_, i) => numberAt(Math.floor(i / 3), i % 3));
  assert.deepEqual(all.toSorted((a, b) => a - b), Array.from({ length: 36 }, (_, i) => i + 1));
  for (const n of all) assert.equal(numberAt(...cell(n)), n);
});

/** Bets of the manual's table, and how many there are. */
const kinds = {
  straight: [0, () => false],
  split: [60, ([a, b]) => (a === 0 ? b <= 3 : b === a + 3 || (b === a + 1 && a % 3 !== 0))],
  street: [14, ([a, b, c]) => (a === 0 ? [[1, 2], [2, 3]].some(([d, e]) => b === d && c === e) : a % 3 === 1 && b === a + 1 && c === a + 2)],
  corner: [23, ([a, b, c, d]) => (a === 0 ? b === 1 && c === 2 && d === 3 : a % 3 !== 0 && b === a + 1 && c === a + 3 && d === a + 4)],
  line: [11, (numbers) => numbers[0] % 3 === 1 && numbers.length === 6 && numbers.every((n, i) => n === numbers[0] + i)],
};

for (const [kind, [count, allowed]] of Object.entries(kinds)) {
  test(`the places of ${kind} are the manual's, each between its numbers`, () => {
    const places = placesOf(kind);
    assert.equal(new Set(places.map((place) => place.numbers.join())).size, count);
    assert.equal(places.length, count);
    for (const { numbers, x, y } of places) {
      assert.ok(allowed(numbers), numbers.join());
      assert.deepEqual([x, y], middle(numbers), numbers.join());
    }
  });
}

test("the wheel has each pocket once, red and black in turn", () => {
  assert.deepEqual(POCKETS.toSorted((a, b) => a - b), Array.from({ length: 37 }, (_, i) => i));
  const colours = POCKETS.slice(1).map(colour);
  for (let i = 1; i < colours.length; i++) assert.notEqual(colours[i], colours[i - 1]);
  assert.equal(colours.filter((each) => each === "red").length, 18);
});

const choose = (n, k) => (k === 0n ? 1n : (choose(n - 1n, k - 1n) * n) / k);

test("tiles of mines pay 99 % of their odds, by binomials", () => {
  for (let mines = 1n; mines < 25n; mines++) {
    for (let opened = 1n; opened <= 25n - mines; opened++) {
      const exact = (99n * choose(25n, opened) * 10000n) / (100n * choose(25n - mines, opened));
      assert.equal(minesPay(Number(mines), Number(opened)).replace(".", ""), String(exact).padStart(5, "0"), `${mines} ${opened}`);
    }
  }
  assert.equal(minesPay(3, 1), "1.1250");
});

test("levels of the tower pay 99 % of their odds", () => {
  assert.deepEqual([towerPays(4, 3, 1), towerPays(4, 3, 9), towerPays(3, 1, 2), towerPays(4, 1, 9)], ["1.3200", "13.1851", "8.9100", "259522.5600"]);
});
