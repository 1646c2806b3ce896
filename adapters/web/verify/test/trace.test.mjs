import assert from "node:assert/strict";
import test from "node:test";
import { committed, hex, hmacSha256, ascii, parse, roundOf, sha256, stringify, trace, Unverifiable, verify } from "../dist/index.js";
import { round, rounds } from "./rounds.mjs";

const dice = round("dice/1");
const CHECKS = "serverSeedHash,outcome,multiplier,wager,payout";

test("a trace has every check of every round, and verify's verdict", () => {
  for (const text of rounds) {
    const { checks, verified, differences, steps, void: nothing } = trace(text);
    assert.deepEqual({ verified, differences, void: nothing }, verify(text));
    assert.equal(checks.map(({ name }) => name).join(), CHECKS);
    assert.ok(checks.every(({ same }) => same), text);
    assert.ok(steps.draws.length > 0);
  }
});

test("what a trace shows follows from the seeds, one step from the other", () => {
  for (const text of rounds) {
    const { inputs, steps } = trace(text);
    assert.equal(steps.commitment, hex(sha256(ascii(inputs.serverSeed))));
    steps.blocks.forEach(({ message, hmac }, cursor) => {
      assert.equal(message, `${inputs.clientSeed}:${inputs.nonce}:${cursor}`);
      assert.equal(hmac, hex(hmacSha256(ascii(inputs.serverSeed), ascii(message))));
    });
    steps.draws.forEach(({ cursor, bytes, draw, of, pick }, i) => {
      assert.equal(cursor, i >> 3);
      assert.equal(bytes, steps.blocks[cursor].hmac.slice((i & 7) * 8, (i & 7) * 8 + 8));
      assert.equal(draw, BigInt("0x" + bytes));
      if (of !== undefined) assert.equal(pick, (draw * of) >> 32n);
    });
  }
});

test("draws say what they stand for, and that is what the round shows", () => {
  const gives = (rules) => {
    const { steps } = trace(round(rules));
    return { said: steps.draws.map((step) => step.gives), outcome: JSON.parse(stringify(steps.outcome)) };
  };
  const mines = gives("mines/1");
  assert.deepEqual(mines.said.map(Number), mines.outcome.mines);
  const hilo = gives("hilo/1");
  assert.deepEqual(hilo.said, hilo.outcome.cards);
  const poker = gives("videopoker/1");
  assert.deepEqual(poker.said.slice(0, 5), poker.outcome.dealt);
  const coins = gives("coinflip/1");
  assert.deepEqual(coins.said, coins.outcome.flips);
  const gems = gives("diamonds/1");
  assert.deepEqual(gems.said, gems.outcome.gems);
});

test("what differs stands among the checks, with both values", () => {
  const { checks, verified } = trace(dice.replace("19800", "19801"));
  assert.equal(verified, false);
  assert.deepEqual(checks.filter(({ same }) => !same), [{ name: "payout", said: "19801", is: "19800", same: false }]);
  assert.equal(checks.length, 5);
});

test("of a void round nothing was drawn", () => {
  const nothing = trace(dice.replace('{"roll":54.78}', "null").replace(": 1.98", ": 1").replace("19800", "10000"));
  assert.equal(nothing.steps, null);
  assert.equal(nothing.void, true);
  assert.equal(nothing.checks.map(({ name }) => name).join(), CHECKS);
});

test("what a round is bound to is known before its seed is", () => {
  const hidden = dice.replace(/"serverSeed": "\w+"/, '"serverSeed": null');
  assert.throws(() => trace(hidden), (error) => error instanceof Unverifiable && error.reason === "not revealed");
  const bound = { serverSeedHash: "43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e", clientSeed: "my seed", nonce: 3n, message: "my seed:3:0" };
  assert.deepEqual(committed(hidden), bound);
  assert.deepEqual(committed(`{"round": ${dice}}`), bound);
  assert.throws(() => committed(dice.replace('"gameType"', '"provider": "acme", "gameType"')), (error) => error.reason === "a provider's");
  // The rotation's server seed makes it a round like any other.
  const revealed = { ...roundOf(hidden), serverSeed: "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901" };
  assert.ok(verify(revealed).verified);
  assert.deepEqual(verify({ ...revealed, serverSeed: "ab".repeat(32) }).differences[0].name, "serverSeedHash");
});

test("a round is read once, however it comes", () => {
  assert.equal(roundOf(parse(dice))["rules"], "dice/1");
  assert.equal(roundOf(dice)["rules"], "dice/1");
  assert.throws(() => roundOf('"text"'), Unverifiable);
});
