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

// Rounds published by another house, in games with our rules. Their outcomes are from its own
// pages, not from any code of this repository.
const others = [
  ["dice/1", "0f6e8aba300b7f1217ee46606773cf6046b524f74505cf2124ffe181ad6b9dbf", "aR3kRBVn", 3n, { roll: 59.67 }],
  ["dice/1", "0f6e8aba300b7f1217ee46606773cf6046b524f74505cf2124ffe181ad6b9dbf", "aR3kRBVn", 4n, { roll: 75.88 }],
];
test("rounds that others published come out", () => {
  for (const [rules, serverSeed, clientSeed, nonce, outcome] of others) {
    assert.deepEqual(play(rules, "{}", nonce, { serverSeed, clientSeed }).outcome, outcome);
  }
  // Seeds of another form than 64 hexadecimal digits are drawn from alike, and refused as a round's.
  const [serverSeed, clientSeed] = ["8b9c7cf18c001dfb7ea6f6fe52f3df95", "247e90a65d07b3c4d629ada402918f03"];
  const flips = games.get("coinflip/1").play(parse('{"flips":20}'), new Draws(serverSeed, clientSeed, 0n));
  assert.equal(flips.outcome.flips.map((side) => side[0]).join(""), "hhhhthhhhthhtthhthht");
  for (const seed of [serverSeed, "", "a".repeat(63), "A".repeat(64), "a".repeat(65), "g".repeat(64)]) {
    assert.throws(() => play("coinflip/1", "{}", 0n, { serverSeed: seed, clientSeed }), /64 hexadecimal digits/, seed);
  }
});

/** The rules' result for given draws, for border cases that seeds don't reach. */
function drawn(rules, config, ...draws) {
  const next = () => BigInt(draws.shift());
  const { outcome, multiplier } = games.get(rules).play(config, { next, pick: (n) => (next() * n) >> 32n, without: Draws.prototype.without });
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

/** The first draw that makes pick(n) a number. */
const first = (number, n) => Math.ceil((number * 2 ** 32) / n);

/** The draws of cards, as they are written. */
const dealt = (text) => text.split(" ").map((one) => first("2 3 4 5 6 7 8 9 10 J Q K A".split(" ").indexOf(one.slice(0, -1)) * 4 + "dhsc".indexOf(one.at(-1)), 52));

test("what is drawn without replacement comes from a sorted rest", () => {
  // 24 draws of 0 take the tiles in their order, the highest draws from the other end.
  const tiles = Array.from({ length: 24 }, (_, i) => i);
  assert.equal(drawn("mines/1", parse('{"mines":24,"picks":[24]}'), ...tiles.map(() => 0)), `[${tiles}] pays 24.75`);
  assert.equal(drawn("mines/1", parse('{"mines":2,"picks":[23]}'), MAX, MAX), "[24,23] pays 0");
  // After 5 was taken from the middle 6 stands in its place, and 39 still at the end.
  const draws = [[5, 40], [5, 39], [37, 38], [0, 37], [0, 36], [0, 35], [0, 34], [0, 33], [0, 32], [1, 31]].map(([number, n]) => first(number, n));
  assert.equal(drawn("keno/1", parse('{"picks":[5,6,39]}'), ...draws), "[5,6,39,0,1,2,3,4,7,9],3 pays 10.4");
});

test("tables are read at both ends", () => {
  assert.match(drawn("plinko/1", parse('{"risk":"expert"}'), ...Array(16).fill(MAX)), /,16 pays 10000$/);
  assert.match(drawn("plinko/1", parse('{"rows":8,"risk":"low"}'), 0, MAX, 0, MAX, 0, MAX, 0, MAX), /,4 pays 0.5$/);
  assert.equal(drawn("wheel/1", parse('{"segments":50,"risk":"high"}'), MAX), "49 pays 49.5");
  assert.equal(drawn("wheel/1", parse("{}"), 0), "0 pays 1.5");
  for (const [gems, is] of [
    ["00000", '"five of a kind" pays 50'], ["61666", '"four of a kind" pays 5'], ["13311", '"full house" pays 4'], ["12131", '"three of a kind" pays 3'],
    ["01021", '"two pairs" pays 2'], ["01202", '"two pairs" pays 2'], ["34456", '"pair" pays 0.1'], ["34056", '"none" pays 0'],
  ]) {
    assert.ok(drawn("diamonds/1", parse("{}"), ...Array.from(gems, (gem) => first(Number(gem), 7))).endsWith("," + is), gems);
  }
});

const withBets = (bets) => parse(bets === "" ? "{}" : `{"bets":[${bets}]}`);

test("roulette pays what is on the table", () => {
  for (const [bets, number, is] of [
    ["", 1, "2"], ["", 2, "0"], ["", 0, "0"], ['{"type":"straight","amount":1,"numbers":[0]}', 0, "36"], ['{"type":"split","amount":1,"numbers":[3,0]}', 3, "18"],
    ['{"type":"split","amount":1,"numbers":[36,33]}', 36, "18"], ['{"type":"street","amount":1,"numbers":[0,3,2]}', 3, "12"], ['{"type":"corner","amount":1,"numbers":[3,1,2,0]}', 0, "9"],
    ['{"type":"corner","amount":1,"numbers":[36,35,33,32]}', 36, "9"], ['{"type":"line","amount":1,"numbers":[31,32,33,34,35,36]}', 36, "6"], ['{"type":"column3","amount":1}', 36, "3"],
    ['{"type":"column1","amount":1}', 0, "0"], ['{"type":"dozen2","amount":1}', 24, "3"], ['{"type":"black","amount":1}', 2, "2"], ['{"type":"even","amount":1}', 0, "0"],
    ['{"type":"low","amount":1}', 18, "2"], ['{"type":"high","amount":1}', 19, "2"], ['{"type":"odd","amount":1}', 35, "2"], ['{"type":"red","amount":1},{"type":"red","amount":1}', 9, "2"],
    ['{"type":"red","amount":1},{"type":"dozen1","amount":2}', 9, "2.66666666666666666"], ['{"type":"red","amount":99999999999999999},{"type":"straight","amount":1,"numbers":[2]}', 2, "0.00000000000000036"],
  ]) {
    assert.equal(drawn("roulette/1", withBets(bets), first(number, 37)), `${number} pays ${is}`, bets);
  }
});

test("baccarat draws third cards as the page says", () => {
  // The player has 0 and draws; the banker has two cards that count 0 … 7 together, and
  // draws when the player's third card is one of these.
  const third = ["A23456789K", "A23456789K", "A23456789K", "A2345679K", "234567", "4567", "67", ""];
  ["Kd Qh", "Ad Jh", "2d 10h", "3d Kh", "4d Kh", "5d Kh", "6d Kh", "7d Kh"].forEach((banker, counts) => {
    for (const rank of "A23456789K") {
      const draws = third[counts].includes(rank);
      const cards = `Kh Kc ${banker} ${rank}s` + (draws ? " Qd" : "");
      assert.equal(drawn("baccarat/1", parse("{}"), ...dealt(cards)).includes('"Qd"'), draws, cards);
    }
  });
  for (const [cards, bets, is] of [
    ["9d Kd 8h Kh", "", '["9d","Kd"],["8h","Kh"],"player" pays 2'], ["8d Kd 9h 10h", '{"on":"banker","amount":1}', '["8d","Kd"],["9h","10h"],"banker" pays 1.95'],
    ["As 7s 8h Qc", '{"on":"tie","amount":1},{"on":"banker","amount":2}', '["As","7s"],["8h","Qc"],"tie" pays 3.66666666666666666'],
    // The player stands on 6 and 7: the banker draws on 5, and not on 6.
    ["6d Kd 5h Kh 2s", '{"on":"tie","amount":1}', '["6d","Kd"],["5h","Kh","2s"],"banker" pays 0'], ["7d Kd 6h Kh", "", '["7d","Kd"],["6h","Kh"],"player" pays 2'],
    ["Kd Qd 8h Kh", "", '["Kd","Qd"],["8h","Kh"],"banker" pays 0'],
  ]) {
    assert.equal(drawn("baccarat/1", withBets(bets), ...dealt(cards)), is, cards);
  }
});

test("a tower is drawn to its top and pays exactly", () => {
  const easy = Array(27).fill(0); // the eggs 0, 1, 2 on each level
  assert.match(drawn("dragontower/1", parse("{}"), ...easy), /^\[\[0,1,2\].*\[0,1,2\]\] pays 1.32$/);
  assert.match(drawn("dragontower/1", parse('{"picks":[2,2,2]}'), ...easy), / pays 2.34666666666666666$/);
  assert.match(drawn("dragontower/1", parse('{"picks":[2,2,3]}'), ...easy), / pays 0$/);
  assert.match(drawn("dragontower/1", parse('{"difficulty":"master","picks":[3,3,3,3,3,3,3,3,3]}'), ...Array(9).fill(MAX)), / pays 259522.56$/);
});

test("hilo at the lowest and the highest card", () => {
  for (const [guesses, cards, is] of [
    ["higher", "2d 2h", "0 pays 0"], ["higher", "2d 3h", "1 pays 1.0725"], ["lower", "2d 2h", "1 pays 12.87"], ["lower", "2d 3h", "0 pays 0"],
    ["lower", "Ad Ah", "0 pays 0"], ["lower", "Ad Kh", "1 pays 1.0725"], ["higher", "Ad Ac", "1 pays 12.87"], ["higher", "Ad Kh", "0 pays 0"],
    ["higher", "3d 3s", "1 pays 1.0725"], ["lower", "Kd Ks", "1 pays 1.0725"], ["higher", "Kd As", "1 pays 6.435"], ["lower", "Kd As", "0 pays 0"],
    ["skip higher lower", "Kd 2s 8s 8h", "3 pays 1.99178571428571428"], ["higher skip lower", "8d 7s 2h Ad", "0 pays 0"], ["skip lower skip", "8d 7s 8h Ad", "1 pays 0"],
  ]) {
    const played = drawn("hilo/1", parse(JSON.stringify({ guesses: guesses.split(" ") })), ...dealt(cards));
    assert.ok(played.endsWith(`,${is}`), `${guesses} on ${cards}: ${played}`);
  }
});

test("configs that can't be played are refused", () => {
  for (const [rules, config] of [
    ["dice/1", '{"target":1.98}'], ["dice/1", '{"target":98.02,"direction":"under"}'], ["dice/1", '{"target":0}'], ["dice/1", '{"target":100}'], ["dice/1", '{"target":50.001}'],
    ["dice/1", '{"target":50.000}'], ["dice/1", '{"target":5e1}'], ["dice/1", '{"target":"50"}'], ["dice/1", '{"target":null}'], ["dice/1", '{"target":-50}'], ["dice/1", '{"direction":"Over"}'],
    ["dice/1", '{"x":1}'], ["dice/1", "[]"], ["dice/1", "null"], ["dice/1", "nonsense"], ["limbo/1", '{"target":1.00}'], ["limbo/1", '{"target":10000.01}'],
    ["crash/1", '{"cashout":1}'], ["crash/1", '{"cashout":1000000.01}'], ["coinflip/1", '{"flips":0}'], ["coinflip/1", '{"flips":21}'], ["coinflip/1", '{"flips":3.0}'],
    ["coinflip/1", '{"side":"edge"}'], ["slots/1", '{"lines":1}'], ["mines/1", '{"mines":2,"picks":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]}'],
    ["roulette/1", '{"bets":[{"type":"street","amount":1,"numbers":[0,1,3]}]}'], ["roulette/1", '{"bets":[{"type":"split","amount":1,"numbers":[3,4]}]}'],
    ["roulette/1", '{"bets":[{"type":"red","amount":1,"numbers":[]}]}'], ["roulette/1", '{"bets":[{"type":"straight","amount":1}]}'], ["roulette/1", '{"bets":[{"amount":1}]}'],
    ["roulette/1", '{"bets":[{"type":"red","amount":100000000000000000},{"type":"odd","amount":1}]}'], ["baccarat/1", '{"bets":[{"on":"tie","amount":1},{"on":"tie","amount":1}]}'],
    ["baccarat/1", '{"bets":[{"on":"tie"}]}'], ["baccarat/1", '{"bets":null}'], ["dragontower/1", '{"difficulty":"hard","picks":[2]}'],
    ["dragontower/1", '{"picks":[0,0,0,0,0,0,0,0,0,0]}'], ["hilo/1", '{"guesses":["skip"]}'], ["hilo/1", '{"guesses":[]}'], ["dice/2", "{}"], ["constructor", "{}"],
  ]) {
    assert.throws(() => play(rules, config, 0), Unverifiable, `${rules} ${config}`);
  }
});
