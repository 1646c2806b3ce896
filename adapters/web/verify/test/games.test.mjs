import assert from "node:assert/strict";
import test from "node:test";
import { block, Draws, games, hex, parse, recompute, steps, stringify, Unverifiable } from "../dist/index.js";

const serverSeed = "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901";
const clientSeed = "my seed";

function play(rules, config, nonce, seeds = { serverSeed, clientSeed }) {
  const { outcome, multiplier } = recompute({ rules, config, nonce, ...seeds });
  return { outcome: JSON.parse(stringify(outcome)), multiplier: String(multiplier) };
}

test("blocks and draws are those of the page", () => {
  assert.equal(hex(block(serverSeed, clientSeed, 3n, 0)), "8c3e2d338c6739745b8e637355501bed5282bfa3d29905116a8341c6f31b2cbf");
  const draws = new Draws(serverSeed, clientSeed, 3n);
  const first = Array.from({ length: 8 }, () => draws.next());
  assert.deepEqual(first, [2352885043n, 2355575156n, 1536058227n, 1431313389n, 1384300451n, 3533243665n, 1786986950n, 4078644415n]);
  draws.next(); // the first of cursor 1
  assert.equal(hex(draws.blocks[1]), hex(block(serverSeed, clientSeed, 3n, 1)));
  assert.equal(draws.steps[8].draw, BigInt("0x" + hex(block(serverSeed, clientSeed, 3n, 1)).slice(0, 8)));
  assert.equal(new Draws(serverSeed, clientSeed, 3n).pick(10001n), 5478n);
});

test("a page can show the way from seeds to the result", () => {
  const way = steps({ rules: "coinflip/1", config: '{"flips":9}', serverSeed, clientSeed, nonce: 5n });
  assert.deepEqual(way.blocks.map(({ message }) => message), ["my seed:5:0", "my seed:5:1"]);
  assert.equal(way.blocks[0].hmac, hex(block(serverSeed, clientSeed, 5n, 0)));
  assert.equal(way.draws.length, 9);
  assert.deepEqual(way.draws.map(({ cursor }) => cursor), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
  for (const { draw, of, pick } of way.draws) assert.equal(pick, (draw * of) / 4294967296n);
});

// Rounds that another house published, whose form ours has in these games. Their outcomes
// are from its own pages, not from any code of this repository.
const others = [
  ["dice/1", "0f6e8aba300b7f1217ee46606773cf6046b524f74505cf2124ffe181ad6b9dbf", "aR3kRBVn", 3n, { roll: 59.67 }],
  ["dice/1", "0f6e8aba300b7f1217ee46606773cf6046b524f74505cf2124ffe181ad6b9dbf", "aR3kRBVn", 4n, { roll: 75.88 }],
  ["limbo/1", "5c5c42b55822f994bd955a4416775190", "40cea334816e7a68ed62d208ce4a2572", 0n, { multiplier: 17.41 }],
  ["limbo/1", "5c5c42b55822f994bd955a4416775190", "40cea334816e7a68ed62d208ce4a2572", 1n, { multiplier: 1.69 }],
];
test("rounds that others published come out", () => {
  for (const [rules, serverSeed, clientSeed, nonce, outcome] of others) {
    assert.deepEqual(play(rules, "{}", nonce, { serverSeed, clientSeed }).outcome, outcome);
  }
  const flips = play("coinflip/1", '{"flips":20}', 0n, { serverSeed: "8b9c7cf18c001dfb7ea6f6fe52f3df95", clientSeed: "247e90a65d07b3c4d629ada402918f03" });
  assert.equal(flips.outcome.flips.map((side) => side[0]).join(""), "hhhhthhhhthhtthhthht");
});

/** What rules make of given draws, for the borders that seeds don't reach. */
function drawn(rules, config, ...draws) {
  const next = () => BigInt(draws.shift());
  const { outcome, multiplier } = games.get(rules).play(config, { next, pick: (n) => (next() * n) >> 32n });
  assert.equal(draws.length, 0, "draws are left");
  return `${Object.values(outcome).map(stringify)} pays ${multiplier}`;
}

const MAX = 2 ** 32 - 1;

test("dice at its borders", () => {
  const at = (hundredths) => Math.ceil((hundredths * 2 ** 32) / 10001); // the first draw of a roll
  for (const [config, draw, is] of [
    ["{}", 0, "0 pays 0"], ["{}", MAX, "100 pays 1.98"], ["{}", at(5000), "50 pays 0"], ["{}", at(5001), "50.01 pays 1.98"], ["{}", at(5001) - 1, "50 pays 0"],
    ['{"direction":"under"}', at(5000), "50 pays 0"], ['{"direction":"under"}', at(4999), "49.99 pays 1.98"], ['{"target":0.01,"direction":"under"}', 0, "0 pays 9900"],
    ['{"target":98.01,"direction":"under"}', 0, "0 pays 1.0101"], ['{"target":66.66}', MAX, "100 pays 2.9694"], ['{"target":99.99}', MAX, "100 pays 9900"],
  ]) {
    assert.equal(drawn("dice/1", parse(config), draw), is, config);
  }
});

test("limbo and crash at their borders", () => {
  for (const [rules, config, draw, is] of [
    ["limbo/1", "{}", 0, "16609443.84 pays 2"], ["limbo/1", "{}", 255, "16609443.84 pays 2"], ["limbo/1", "{}", 256, "8304721.92 pays 2"], ["limbo/1", "{}", MAX, "1 pays 0"],
    ["limbo/1", '{"target":10000}', 0, "16609443.84 pays 10000"], ["crash/1", "{}", 0, "4252017623.04 pays 2"], ["crash/1", "{}", MAX, "1 pays 0"], ["crash/1", '{"cashout":1000000.00}', 1, "2126008811.52 pays 1000000"],
  ]) {
    assert.equal(drawn(rules, parse(config), draw), is, config);
  }
  // A target that is hit exactly wins, one above it loses.
  assert.equal(play("limbo/1", '{"target":5.23}', 0).multiplier, "5.23");
  assert.equal(play("limbo/1", '{"target":5.24}', 0).multiplier, "0");
  assert.equal(play("crash/1", '{"cashout":1.46}', 5).multiplier, "1.46");
  assert.equal(play("crash/1", '{"cashout":1.47}', 5).multiplier, "0");
});

test("a coin shows heads from half of the draws on", () => {
  assert.equal(drawn("coinflip/1", parse("{}"), 2 ** 31), '["heads"] pays 1.98');
  assert.equal(drawn("coinflip/1", parse("{}"), 2 ** 31 - 1), '["tails"] pays 0');
  assert.equal(drawn("coinflip/1", parse('{"side":"tails","flips":2}'), 0, MAX), '["tails","heads"] pays 0');
  assert.equal(play("coinflip/1", '{"flips":20}', 0).outcome.flips.length, 20);
});

test("slots with all kinds of stops", () => {
  const stop = (n) => n * 2 ** 27; // the first draw of a stop
  // Five scatters: 12 free spins, each of stops 0, which pay nothing.
  const five = [23, 12, 27, 19, 27].map(stop);
  const zeros = Array(60).fill(0);
  const shown = drawn("slots/1", parse("{}"), ...five, ...zeros);
  assert.match(shown, /"line":0,"symbol":"scatter","count":5,"pays":50/);
  assert.equal(shown.match(/"stops":\[0,0,0,0,0\]/g).length, 12);
});

test("configs that can't be played are refused", () => {
  for (const [rules, config] of [
    ["dice/1", '{"target":1.98}'], ["dice/1", '{"target":98.02,"direction":"under"}'], ["dice/1", '{"target":0}'], ["dice/1", '{"target":100}'], ["dice/1", '{"target":50.001}'],
    ["dice/1", '{"target":50.000}'], ["dice/1", '{"target":5e1}'], ["dice/1", '{"target":"50"}'], ["dice/1", '{"target":null}'], ["dice/1", '{"target":-50}'], ["dice/1", '{"direction":"Over"}'],
    ["dice/1", '{"x":1}'], ["dice/1", "[]"], ["dice/1", "null"], ["dice/1", "nonsense"], ["limbo/1", '{"target":1.00}'], ["limbo/1", '{"target":10000.01}'],
    ["crash/1", '{"cashout":1}'], ["crash/1", '{"cashout":1000000.01}'], ["coinflip/1", '{"flips":0}'], ["coinflip/1", '{"flips":21}'], ["coinflip/1", '{"flips":3.0}'],
    ["coinflip/1", '{"side":"edge"}'], ["slots/1", '{"lines":1}'], ["dice/2", "{}"], ["constructor", "{}"],
  ]) {
    assert.throws(() => play(rules, config, 0), Unverifiable, `${rules} ${config}`);
  }
});
