import assert from "node:assert/strict";
import test from "node:test";
import { entry, outside, reading, signed, tone, typed, written } from "../built/shared/money.js";

const DECIMALS = 6;

/** Typed texts by language, and their base units; null is rejected. */
const cases = {
  en: {
    "1": 1_000_000n, "1.5": 1_500_000n, " 1.5 ": 1_500_000n, ".5": 500_000n, "1.": 1_000_000n, "007": 7_000_000n, "0": 0n,
    "1,000": null, "12,345": null, "1,000.0": 1_000_000_000n, "1,000.5": 1_000_500_000n, "12,345,678": 12_345_678_000_000n, "1.000": 1_000_000n, "1.000001": 1_000_001n,
    "1,5": null, "1,50": null, "1,0000": null, "10,00": null, "1,000,00": null, "1000,000": null, "0,001": null, "01,000": null, ",000": null, "1,,000": null, "1,": null,
    "1.000.000": null, "1.000,5": null, "1.5,000": null, "1 000": null, "1'000": null, "1_000": null,
    "1.0000001": null, "1.0000000": 1_000_000n,
    "": null, " ": null, ".": null, ",": null, "-1": null, "+1": null, "1e3": null, "0x10": null, "1.5 SOL": null, "١": null, NaN: null, Infinity: null,
    "9007199254740993.000001": 9_007_199_254_740_993_000_001n,
  },
  "pt-BR": {
    "1": 1_000_000n, "1,5": 1_500_000n, ",5": 500_000n, "1.500": null, "1.500,0": 1_500_000_000n, "1.500,25": 1_500_250_000n, "12.345.678": 12_345_678_000_000n, "1,500": 1_500_000n,
    "1.5": null, "1.50": null, "1.5000": null, "0.001": null, "1500.000": null, "1,500,000": null, "1,500.25": null, "1 500": null, "-1": null, "": null,
  },
};

for (const [language, rows] of Object.entries(cases)) {
  test(`amounts typed in ${language}`, () => {
    for (const [text, want] of Object.entries(rows)) assert.equal(typed(text, DECIMALS, language), want, JSON.stringify(text));
  });
}

test("a token without decimals takes whole amounts alone", () => {
  assert.equal(typed("1,000", 0, "en"), 1000n);
  assert.equal(typed("1.5", 0, "en"), null);
  assert.equal(typed("1,5", 0, "pt-BR"), null);
});

test("what is shown or filled in is read back as the same amount", () => {
  for (const language of ["en", "pt-BR"]) {
    for (const units of [0n, 1n, 999_999n, 1_000_000n, 1_234_567n, 1_234_567_890_123n, 2n ** 63n - 1n]) {
      assert.equal(typed(written(units, DECIMALS, language), DECIMALS, language), units, written(units, DECIMALS, language));
      assert.equal(typed(entry(units, DECIMALS, language), DECIMALS, language), units, entry(units, DECIMALS, language));
    }
  }
});

/** Texts that aren't one amount, by language: what they may mean, or what is wrong with them. */
const readings = {
  en: {
    "1,500": [1_500_000_000n, 1_500_000n], "1,5": [1_500_000n], "0,001": [1_000n], "1.000.000": [1_000_000_000_000n], "1.000,5": [1_000_500_000n],
    "": "empty", " ": "empty", "-1": "negative", "−1": "negative", "1e3": "letters", "1.5 SOL": "letters", "1 000": "form", "1,,000": "form", ".": "form", "1.0000001": "fraction", "1,0000001": "fraction",
  },
  "pt-BR": { "1.500": [1_500_000_000n, 1_500_000n], "1.5": [1_500_000n], "1,500,000": [1_500_000_000_000n], "-1": "negative", um: "letters", "1,0000001": "fraction" },
};

for (const [language, rows] of Object.entries(readings)) {
  test(`what texts may mean in ${language}`, () => {
    for (const [text, want] of Object.entries(rows)) {
      const read = reading(text, DECIMALS, language);
      assert.deepEqual(read, typeof want === "string" ? { wrong: want } : { choices: want }, JSON.stringify(text));
      for (const choice of read.choices ?? []) assert.equal(typed(written(choice, DECIMALS, language), DECIMALS, language), choice, "a choice is asked about again");
    }
  });
}

test("bounds are named by what to do first", () => {
  const of = (sum, bounds) => outside(sum, bounds);
  assert.equal(of(0n, { min: 1, max: 5 }), "zero");
  assert.equal(of(0n, { min: 1, zero: true }), null);
  assert.equal(of(1n, { min: 2, max: 5 }), "low");
  assert.equal(of(6n, { min: 2, max: 5, available: 9n }), "high");
  assert.equal(of(6n, { min: 2, max: 5, available: 4n }), "balance");
  assert.equal(of(6n, { available: 4 }), "balance");
  assert.equal(of(5n, { min: 5, max: 5, available: 5 }), null);
});

test("results are signed and coloured", () => {
  const results = { "+0.0198 gain": 19_800n, "−0.01 loss": -10_000n, "0.00 muted": 0n, "−1,234.50 loss": -1_234_500_000n };
  for (const [want, net] of Object.entries(results)) assert.equal(`${signed(net, DECIMALS, "en")} ${tone(net)}`, want);
  assert.equal(signed(-1_234_500_000n, DECIMALS, "pt-BR"), "−1.234,50");
  assert.equal(tone(Number(-1n)), "loss");
});
