import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { crashEndOf, crashMultiplierAt, crashTimeOf } from "../dist/index.js";

test("the curve is the published table", () => {
  let text = "";
  for (let t = 0; t <= 230_259; t++) text += `${crashMultiplierAt(t)}\n`;
  assert.equal(createHash("sha256").update(text).digest("hex"), "a171dd696b3ffefe156abe0b483382c63da34ad18b15e78b73658ea46c8106e6");
  assert.deepEqual([-1, 0, 166, 230_258, 230_259, 1e9].map(crashMultiplierAt), [100, 100, 101, 99_996_944, 100_000_000, 100_000_000]);
});

test("a height is first reached, and a round ends, at the published milliseconds", () => {
  for (const height of [101, 116, 502, 503, 10_000, 99_999_999, 100_000_000]) {
    const t = crashTimeOf(height);
    assert.ok(crashMultiplierAt(t) >= height && crashMultiplierAt(t - 1) < height, `${height} at ${t}`);
  }
  assert.equal(crashTimeOf(100), 0);
  assert.equal(crashEndOf(502, 10_000), 26_924);
  assert.deepEqual([crashEndOf(9_999, 10_000), crashEndOf(10_000, 10_000), crashEndOf(4_000_000_000, 10_000)], Array(3).fill(crashTimeOf(10_000)));
  assert.equal(crashEndOf(100, 10_000), crashTimeOf(101));
});
