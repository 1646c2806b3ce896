import assert from "node:assert/strict";
import test from "node:test";
import { count, dayOf, daysOf } from "../built/play/account/tally.js";
import { isOf, matches } from "../built/play/find.js";
import { advance, isDue } from "../built/play/sitting.js";

test("a search finds every word without case and diacritics", () => {
  for (const [query, found] of [["roleta", true], ["ROLÉTA", true], ["zero  européia", true], ["", true], ["  ", true], ["zero dice", false], ["r.leta", false]]) {
    assert.equal(matches(query, "Roleta européia", "Um zero, todas as apostas"), found, query);
  }
});

test("only named origins are framed", () => {
  const named = ["https://games.example", "https://*.maker.example:8443", "http://127.0.0.1:*"];
  for (const [address, framed] of [
    ["https://games.example/play?x=1", true], ["https://a.maker.example:8443/", true], ["https://a.b.maker.example:8443/", true], ["http://127.0.0.1:5000/p", true],
    ["http://games.example/", false], ["https://games.example:444/", false], ["https://games.example.evil.test/", false], ["https://gamesXexample/", false],
    ["https://maker.example:8443/", false], ["https://a.maker.example/", false], ["https://evil.test/https://games.example", false], ["http://127.0.0.1.evil.test:5000/", false],
  ]) {
    assert.equal(isOf(named, address), framed, address);
  }
  assert.equal(isOf([], "https://games.example/"), false);
});

test("rounds are summed by token, game and day", () => {
  const tallies = new Map();
  const noon = new Date(2026, 10, 23, 12).getTime();
  const big = 9_007_199_254_740_993n;
  count(tallies, [
    { gameType: "dice", token: "a", wager: 10, payout: 25, createdAt: noon },
    { gameType: "dice", token: "a", wager: big, payout: 0, createdAt: new Date(2026, 10, 23, 0, 1).getTime() },
    { gameType: "plinko", token: "a", wager: 4, payout: 1, createdAt: new Date(2026, 10, 26, 23, 59).getTime() },
    { gameType: "dice", token: "b", wager: 7, payout: 7, createdAt: noon },
  ]);
  const a = tallies.get("a");
  assert.deepEqual(a.all, { rounds: 3, wagered: big + 14n, net: 12n - big });
  assert.deepEqual(a.games.get("dice"), { rounds: 2, wagered: big + 10n, net: 15n - big });
  assert.deepEqual(daysOf(a).map(([day, sum]) => [day, sum?.rounds ?? null]), [["2026-11-23", 2], ["2026-11-24", null], ["2026-11-25", null], ["2026-11-26", 1]]);
  assert.deepEqual(tallies.get("b").all, { rounds: 1, wagered: 7n, net: 0n });
  assert.equal(dayOf(noon), "2026-11-23");
  assert.deepEqual(daysOf({ ...a, days: new Map() }), []);
});

const MINUTE = 60_000;
const read = (startedAt, rounds, wagered, net) => ({ startedAt, tokens: [{ token: "a", rounds, wagered, net }] });

test("a sitting adds up the sessions of one wallet", () => {
  let at = advance(null, "w", read(1000, 2, 20, -5), 5000);
  assert.deepEqual([at.began, at.asked, at.sums.a], [1000, 1000, { rounds: 2, wagered: "20", net: "-5" }]);
  at = advance(at, "w", read(1000, 3, 30, 5), MINUTE);
  assert.deepEqual(at.sums.a, { rounds: 3, wagered: "30", net: "5" });
  at = advance(at, "w", read(29 * MINUTE, 1, 10, -10), 29.5 * MINUTE); // a renewed session counts from 0
  assert.deepEqual([at.began, at.sums.a], [1000, { rounds: 4, wagered: "40", net: "-5" }]);
  at = advance(at, "w", { startedAt: 40 * MINUTE, tokens: [] }, 40 * MINUTE);
  assert.deepEqual(at.sums.a, { rounds: 4, wagered: "40", net: "-5" });
  assert.deepEqual(advance(at, "other", read(41 * MINUTE, 1, 10, 0), 41 * MINUTE).sums.a.rounds, 1);
  assert.deepEqual(advance(at, "w", read(71 * MINUTE, 1, 10, 0), 71 * MINUTE).began, 71 * MINUTE);
});

test("a reminder is due once a time, and never without one", () => {
  const at = { ...advance(null, "w", read(0, 0, 0, 0), 0), asked: 10 * MINUTE };
  assert.equal(isDue(at, 60 * MINUTE, 70 * MINUTE - 1), false);
  assert.equal(isDue(at, 60 * MINUTE, 70 * MINUTE), true);
  assert.equal(isDue(at, 0, 1e12), false);
});
