import assert from "node:assert/strict";
import test from "node:test";
import { Draws, games, parse, recompute, stringify, Unverifiable, verify } from "../dist/index.js";
import { rounds } from "./rounds.mjs";

/** The result of a stepped round for given draws. Actions are words, with a number if they need
 * one. */
function taken(rules, config, actions, ...draws) {
  const next = () => BigInt(draws.shift());
  const source = { next, pick: (n) => (next() * n) >> 32n, without: Draws.prototype.without };
  const { outcome, multiplier } = games.get(rules).take(parse(config), source, typeof actions === "string" ? actionsOf(actions) : actions);
  return `${Object.values(outcome).map(stringify)} pays ${multiplier}`;
}

function actionsOf(words) {
  const all = words.split(" ").filter(Boolean).map((word) => {
    const [, type, tile] = /^([a-zA-Z]+)([0-9]*)$/.exec(word);
    return tile === "" ? { type } : { type, tile: Number(tile) };
  });
  return parse(JSON.stringify(all));
}

const MAX = 2 ** 32 - 1;

/** The first draw that makes pick(n) a number. */
const first = (number, n) => Math.ceil((number * 2 ** 32) / n);

/** The draws of cards, as they are written. */
const dealt = (text) => text.split(" ").map((one) => first("2 3 4 5 6 7 8 9 10 J Q K A".split(" ").indexOf(one.slice(0, -1)) * 4 + "dhsc".indexOf(one.at(-1)), 52));

test("the pages have rounds that are played step by step", () => {
  const stepped = rounds.filter((text) => text.includes('"actions"'));
  for (const [rules, game] of games) {
    assert.ok(game.play || game.take, rules);
    if (game.take) assert.ok(stepped.some((text) => text.includes(`"rules": "${rules}"`)), rules);
  }
});

test("mines by clicks", () => {
  for (const [config, actions, is] of [
    ['{"mines":2}', "cashOut", "[],[0,1] pays 0.99"], ['{"mines":2}', "open1", "[1],[0,1] pays 0"], ['{"mines":2}', "open2 open24 cashOut", "[2,24],[0,1] pays 1.1739"],
    ['{"mines":2}', "open24 open0", "[24,0],[0,1] pays 0"], ['{"mines":24}', "open24", `[24],[${Array.from({ length: 24 }, (_, i) => i)}] pays 24.75`],
    // 1.1739 is what the second tile is worth, 1.2857 the third.
    ['{"mines":2,"maxMultiplier":1.1739}', "open5 open6", "[5,6],[0,1] pays 1.1739"], ['{"mines":2,"maxMultiplier":1.1738}', "open5", "[5],[0,1] pays 1.076"],
    ['{"mines":2,"maxMultiplier":1.076}', "open5", "[5],[0,1] pays 1.076"], ['{"mines":2,"maxMultiplier":1.2857}', "open5 open6 open7", "[5,6,7],[0,1] pays 1.2857"],
  ]) {
    const draws = Array(config.includes("24") ? 24 : 2).fill(0);
    assert.equal(taken("mines/1", config, actions, ...draws), is, `${config} ${actions}`);
  }
});

test("a tower by levels", () => {
  const low = Array(9).fill(0); // the egg is on the left of each level
  const all = Array.from({ length: 9 }, () => "[0]");
  for (const [config, actions, is] of [
    ['{"difficulty":"expert"}', "cashOut", `[],[${all}] pays 0.99`], ['{"difficulty":"expert"}', "climb0 climb0 cashOut", `[0,0],[${all}] pays 8.91`],
    ['{"difficulty":"expert"}', "climb0 climb2", `[0,2],[${all}] pays 0`], ['{"difficulty":"master"}', Array(9).fill("climb0").join(" "), `[${Array(9).fill(0)}],[${all}] pays 259522.56`],
    ['{"difficulty":"expert","maxMultiplier":8.91}', "climb0 climb0", `[0,0],[${all}] pays 8.91`], ['{"difficulty":"expert","maxMultiplier":8.9099}', "climb0", `[0],[${all}] pays 2.97`],
  ]) {
    assert.equal(taken("dragontower/1", config, actions, ...low), is, `${config} ${actions}`);
  }
});

test("hilo by cards", () => {
  for (const [config, actions, cards, is] of [
    ["{}", "cashOut", "8d", '["8d"],0 pays 0.99'], ["{}", "skip skip cashOut", "8d 2d Ad", '["8d","2d","Ad"],2 pays 0.99'], ["{}", "higher cashOut", "2d 3h", '["2d","3h"],1 pays 1.0725'],
    ["{}", "higher", "2d 2h", '["2d","2h"],0 pays 0'], ["{}", "skip higher lower", "2d 5h 5s 6h", '["2d","5h","5s","6h"],2 pays 0'], ["{}", "higher cashOut", "Ad Ah", '["Ad","Ah"],1 pays 12.87'],
    // The fifteenth guess and the 52nd card end it.
    ["{}", Array(15).fill("lower").join(" "), "Kd" + " Kh".repeat(15), `["Kd"${',"Kh"'.repeat(15)}],15 pays ${recomputed(15)}`],
    ["{}", Array(51).fill("skip").join(" "), "8d" + " 8h".repeat(51), `["8d"${',"8h"'.repeat(51)}],51 pays 0.99`],
    // 12.87 can't be reached with a bound below it, and 1.0725 once is all that fits under 1.16.
    ['{"maxMultiplier":12.87}', "higher", "Ad As", '["Ad","As"],1 pays 12.87'], ['{"maxMultiplier":1.16}', "higher", "2d 3h", '["2d","3h"],1 pays 1.0725'],
  ]) {
    assert.equal(taken("hilo/1", config, actions, ...dealt(cards)), is, `${config} ${actions}`);
  }
  assert.throws(() => taken("hilo/1", '{"maxMultiplier":12.8699}', "higher", ...dealt("Ad As")), /^Unverifiable: actions\[0\].type must be one of skip, cashOut, lower$/);
});

/** 0.99 times a power of 13/12, as a round shows it. */
function recomputed(power) {
  const digits = ((99n * 13n ** BigInt(power) * 10n ** 15n) / 12n ** BigInt(power)).toString(); // 17 decimals
  return digits.slice(0, -17) + "." + digits.slice(-17);
}

test("video poker knows every hand", () => {
  // Numbers for drawing cards without replacement, listed in ascending order.
  const numbers = (text) => text.split(" ").map((one) => "2 3 4 5 6 7 8 9 10 J Q K A".split(" ").indexOf(one.slice(0, -1)) * 4 + "dhsc".indexOf(one.at(-1)));
  const draws = (all) => all.map((card, i) => first(card - all.slice(0, i).filter((before) => before < card).length, 52 - i));
  const rest = numbers("2h 2s 4h 6h 8h");
  for (const [cards, hand, pays] of [
    ["Ad Kd Qd Jd 10d", "royal flush", 800], ["9c Kc 10c Qc Jc", "straight flush", 50], ["As 2s 3s 4s 5s", "straight flush", 50], ["9d 9h 4d 9s 9c", "four of a kind", 25], ["9d 4s 9h 4d 9s", "full house", 9],
    ["Ad 2d 9d 5d 7d", "flush", 6], ["Ad 2h 3s 5c 4d", "straight", 4], ["Ad Kh Qs 10c Jd", "straight", 4], ["Kd Ah 2s 3c 4d", "none", 0], ["9d 9h 4d 9s Jc", "three of a kind", 3],
    ["3d 3h 4d 4s Jc", "two pairs", 2], ["Jd Jh 4d 5s 6c", "jacks or better", 1], ["3d Ah 4d 5s Ac", "jacks or better", 1], ["10d 10h 4d 5s 6c", "none", 0], ["3d 9h 4d 5s Kc", "none", 0],
  ]) {
    const all = numbers(cards);
    const others = rest.filter((card) => !all.includes(card)).concat(48, 44, 40, 36, 32, 1).filter((card) => !all.includes(card)).slice(0, 5);
    const shown = `["${cards.replaceAll(" ", '","')}"]`;
    assert.equal(taken("videopoker/1", "{}", parse('[{"type":"draw","hold":[4,0,1,3,2]}]'), ...draws([...all, ...others])), `${shown},${shown},"${hand}" pays ${pays}`);
  }
  const ten = draws(numbers("3h Jh 4c 5s Jd Kd 5c 2d 2h 2c"));
  assert.equal(taken("videopoker/1", "{}", parse('[{"type":"draw","hold":[1,4]}]'), ...ten), '["3h","Jh","4c","5s","Jd"],["Kd","Jh","5c","2d","Jd"],"jacks or better" pays 1');
  assert.match(taken("videopoker/1", "{}", parse('[{"type":"draw","hold":[]}]'), ...ten), /\["Kd","5c","2d","2h","2c"\],"three of a kind" pays 3$/);
});

test("blackjack at its borders", () => {
  for (const [actions, cards, is] of [
    ["", "Ad Ks 9d 7h", '[["Ad","Ks"]],["9d","7h"],["blackjack"] pays 2.5'], ["", "Ad Ks Ah 10h", '[["Ad","Ks"]],["Ah","10h"],["push"] pays 1'], ["", "9d Ks Ah 10h", '[["9d","Ks"]],["Ah","10h"],["lose"] pays 0'],
    ["stand", "9d Ks 8h 10h", '[["9d","Ks"]],["8h","10h"],["win"] pays 2'], ["stand", "9d Ks 6h 10h 5d", '[["9d","Ks"]],["6h","10h","5d"],["lose"] pays 0'],
    // A 17 with an ace that counts 11 stands, and a 16 draws.
    ["stand", "9d 9s 6h Ah", '[["9d","9s"]],["6h","Ah"],["win"] pays 2'], ["stand", "10d 7s 5h Ah Kd As", '[["10d","7s"]],["5h","Ah","Kd","As"],["push"] pays 1'], ["stand", "10d 2s 6h Kh 10s", '[["10d","2s"]],["6h","Kh","10s"],["win"] pays 2'],
    // More than 21 is lost before the dealer draws, and 21 ends by itself.
    ["hit", "9d Ks 6h 10h 3d", '[["9d","Ks","3d"]],["6h","10h"],["bust"] pays 0'], ["hit", "9d Ks 6h 10h 2d 2c", '[["9d","Ks","2d"]],["6h","10h","2c"],["win"] pays 2'], ["double", "5d 6s 6h 10h 2d 4c", '[["5d","6s","2d"]],["6h","10h","4c"],["lose"] pays 0'],
    ["hit hit stand", "Ad As 6h 10h 9h Kd 5c", null], ["hit stand", "Ad 3s 9h 10h 9d", '[["Ad","3s","9d"]],["9h","10h"],["lose"] pays 0'],
    ["split", "Ad As 10h 9h Kd 9s", '[["Ad","Kd"],["As","9s"]],["10h","9h"],["win","win"] pays 2'], ["split stand stand", "8d 8s 10h 9h Kd 9s", '[["8d","Kd"],["8s","9s"]],["10h","9h"],["lose","lose"] pays 0'],
    ["split double stand", "8d 8s 10h 9h 3d 10s Kc", '[["8d","3d","Kc"],["8s","10s"]],["10h","9h"],["win","lose"] pays 1.33333333333333333'], ["split stand", "Kd Ks 10h 9h 9c Ah", '[["Kd","9c"],["Ks","Ah"]],["10h","9h"],["push","win"] pays 1.5'],
    ["split hit hit", "8d 8s 10h 6h 6c 7h Kc Kd", '[["8d","6c","Kc"],["8s","7h","Kd"]],["10h","6h"],["bust","bust"] pays 0'],
  ]) {
    if (is === null) assert.throws(() => taken("blackjack/1", "{}", actions, ...dealt(cards)), /actions must be 1/, actions);
    else assert.equal(taken("blackjack/1", "{}", actions, ...dealt(cards)), is, `${actions} ${cards}`);
  }
  for (const [actions, cards, message] of [
    ["split", "Kd Qs 8h 10h", "actions[0].type must be one of hit, stand, double"], ["split split", "8d 8s 8h 10h 8c 8h", "actions[1].type must be one of hit, stand, double"], ["hit double", "2d 3s 8h 10h 2c", "actions[1].type must be one of hit, stand"],
    ["stand stand", "9d Ks 8h 10h", "actions must be 1"], ["stand", "Ad Ks 8h 10h", "actions must be 0"], ["split stand", "8d 8s 8h 10h 8c 8h", "actions are not all"], ["hit", "2d 3s 8h 10h 2c", "actions are not all"],
  ]) {
    assert.throws(() => taken("blackjack/1", "{}", actions, ...dealt(cards)), (error) => error.message.startsWith(message), actions);
  }
});

test("actions that can't be taken are named", () => {
  for (const [rules, config, actions, place] of [
    ["mines/1", "{}", "", "actions are not all"], ["mines/1", "{}", "open20", "actions are not all"], ["mines/1", "{}", "cashOut cashOut", "actions must be 1"], ["mines/1", "{}", "open0 open0", "actions must be 1"],
    ["mines/1", "{}", "open20 open20", "actions[1].tile must be one of"], ["mines/1", "{}", "open25", "actions[0].tile must be one of"], ["mines/1", "{}", "open", "actions[0].tile must be one of"],
    ["mines/1", "{}", "open20 cashOut5", "actions[1].tile is no member of cashOut"], ["mines/1", "{}", "climb3", "actions[0].type must be one of open, cashOut"], ["mines/1", "{}", "toString", "actions[0].type"],
    ["dragontower/1", "{}", "climb4", "actions[0].tile"], ["hilo/1", "{}", "skip same", "actions[1].type"],
  ]) {
    assert.throws(() => taken(rules, config, actions, ...Array(60).fill(0)), (error) => error instanceof Unverifiable && error.reason === "actions" && error.message.startsWith(place), actions);
  }
  for (const actions of ['["cashOut"]', "[null]", "[[]]", '[{"type":"open","tile":1.0}]', '[{"type":"open","tile":"1"}]', '[{"type":null}]', '[{"type":"open","tile":1,"__proto__":1}]']) {
    assert.throws(() => games.get("mines/1").take(parse("{}"), new Draws("a", "b", 0n), parse(actions)), (error) => error instanceof Unverifiable && error.reason === "actions" && error.message.startsWith("actions[0]"), actions);
  }
});

test("bounds and fields that can't be begun with are refused", () => {
  for (const [rules, config] of [
    ["mines/1", '{"maxMultiplier":1.1249}'], ["mines/1", '{"maxMultiplier":1.12500}'], ["mines/1", '{"maxMultiplier":100000000000.0001}'], ["mines/1", '{"maxMultiplier":null}'], ["mines/1", '{"picks":[1]}'],
    ["dragontower/1", '{"maxMultiplier":1.3199}'], ["dragontower/1", '{"picks":[1]}'], ["hilo/1", '{"maxMultiplier":1.0724}'], ["hilo/1", '{"guesses":["skip"]}'], ["hilo/1", '{"maxMultiplier":"2"}'],
  ]) {
    assert.throws(() => taken(rules, config, "cashOut", ...Array(60).fill(0)), (error) => error instanceof Unverifiable && error.reason === "config", `${rules} ${config}`);
  }
});

const clicks = rounds.find((text) => text.includes('"actions": [{"type":"open"'));

test("a round says whether it was played step by step", () => {
  const actions = /"actions": (.*),\n/.exec(clicks)[1];
  assert.deepEqual(verify(clicks.replace(actions, "null")).differences.map(({ name }) => name), ["outcome", "multiplier", "payout"]);
  assert.deepEqual(verify(clicks.replace('"tile":10', '"tile":11')).differences.map(({ name }) => name), ["outcome"]);
  for (const [from, to] of [
    [actions, "[]"], [actions, "{}"], [actions, JSON.stringify(actions)], [actions, "false"], [/mines/g, "dice"],
  ]) {
    assert.throws(() => verify(clicks.replace(from, to)), (error) => error instanceof Unverifiable && error.reason === "actions", to);
  }
  const inputs = { serverSeed: "a".repeat(64), clientSeed: "b", nonce: 0, config: "{}" };
  assert.throws(() => recompute({ ...inputs, rules: "dice/1", actions: "[]" }), /isn't played step by step/);
  assert.equal(String(recompute({ ...inputs, rules: "hilo/1", actions: '[{"type":"cashOut"}]' }).multiplier), "0.99");
  assert.equal(String(recompute({ ...inputs, rules: "hilo/1", actions: parse('[{"type":"cashOut"}]') }).multiplier), "0.99");
});
