import assert from "node:assert/strict";
import test from "node:test";
import { Decimal, Fraction, parse, same, stringify } from "../dist/index.js";

test("numbers keep their digits", () => {
  const text = '{"a":[50.00,1.98,-0.10,9223372036854775807,0,0.1000000000000000055511151231257827]}';
  assert.equal(stringify(parse(text)), text);
});

test("numbers are compared by their worth", () => {
  for (const [a, b, equal] of [
    ["50", "50.00", true], ["0", "-0.0", true], ["1.98", "1.980", true], ["1.98", "1.9800000000000000001", false],
    ["9007199254740993", "9007199254740992", false], ["-1", "1", false], ["50", "5e1", false], ["50", '"50"', false],
  ]) {
    assert.equal(same(parse(a), parse(b)), equal, `${a} and ${b}`);
  }
});

test("values are compared member by member, lists in their order", () => {
  for (const [a, b, equal] of [
    ['{"a":1,"b":[1,2]}', '{"b":[1.0,2],"a":1}', true], ["[1,2]", "[2,1]", false], ["[1]", "[1,1]", false], ['{"a":1}', '{"a":1,"b":null}', false],
    ['{"a":null}', '{"b":null}', false], ["{}", "[]", false], ["null", "{}", false], ["true", "false", false], ["[]", "[]", true],
    ['{"__proto__":1}', "{}", false], ['{"a":{}}', '{"a":1}', false],
  ]) {
    assert.equal(same(parse(a), parse(b)), equal, `${a} and ${b}`);
    assert.equal(same(parse(b), parse(a)), equal, `${b} and ${a}`);
  }
});

test("it reads what JSON.parse reads", () => {
  for (const text of [' { "a" : [ true , false , null ] } ', '"\\u00e9\\n\\"\\\\ é"', "[[],{}]", '{"":{"a":"b"}}', '{"constructor":"toString"}']) {
    assert.equal(stringify(parse(text)), JSON.stringify(JSON.parse(text)));
  }
});

test("it refuses what is no JSON, members that are there twice, and depths", () => {
  for (const text of ["", " ", "{", "[1,]", '{"a":1,}', "{a:1}", "01", "1.", ".5", "+1", "-", "1 2", "{}x", "nul", "'a'", '"\n"', '"\\x"', '"\\u00g0"', "NaN", '{"a":1,"a":1}', '{"a":1,"\\u0061":1}', "[1 2]", '{"a" 1}', "[".repeat(100000)]) {
    assert.throws(() => parse(text), SyntaxError, text.slice(0, 20));
  }
});

test("decimals are written as short as can be", () => {
  for (const [units, scale, text] of [[19800n, 4, "1.98"], [5000n, 2, "50"], [1n, 2, "0.01"], [0n, 2, "0"], [-5n, 1, "-0.5"], [80n, 1, "8"], [7n, 0, "7"]]) {
    assert.equal(String(Decimal.of(units, scale)), text);
  }
});

test("a payout is rounded down, with no double in between", () => {
  for (const [multiplier, wager, payout] of [
    ["1.98", 1n, 1n], ["1.1", 10n, 11n], ["2.55", 100n, 255n], ["1.9999", 9999n, 19997n], ["0", 5n, 0n], ["1.01", 9007199254740993n, 9097271247288402n],
  ]) {
    assert.equal(parse(multiplier).floorOf(wager), payout, `${wager} times ${multiplier}`);
  }
});

test("a fraction is shown by what is left of it after 18 digits, others by themselves alone", () => {
  const third = new Fraction(13n, 3n);
  assert.equal(String(third.decimal), "4.33333333333333333");
  assert.equal(third.floorOf(3n), 13n); // the decimal would give 12
  for (const [fraction, said, is] of [
    [third, "4.33333333333333333", true], [third, "4.3333333333333335", true], [third, "4.333333334", true], [third, "4.333333335", false], [third, "4.33", false],
    [new Fraction(7n, 4n), "1.75", true], [new Fraction(7n, 4n), "1.750", true], [new Fraction(7n, 4n), "1.7500000001", false], [new Fraction(0n, 3n), "0", true], [third, "4333333333e-9", false],
  ]) {
    assert.equal(fraction.shownAs(parse(said)), is, said);
  }
});

test("a 0 before the point counts among the 18 digits", () => {
  for (const [denominator, said, is] of [
    [2n ** 17n, "0.00000762939453125", true], [2n ** 17n, "0.00000762939453126", false],
    [2n ** 18n, "0.00000381469726562", true], [2n ** 18n, "0.000003814697265625", true], [2n ** 18n, "0.0000038146", true], [2n ** 18n, "0.0000038", false],
  ]) {
    assert.equal(new Fraction(1n, denominator).shownAs(parse(said)), is, said);
  }
});
