import assert from "node:assert/strict";
import test from "node:test";
import { check, leadsToTerminal, pointOf, rootOf } from "../built/play/crash/checks.js";
import { addEnded, controlOf, ENDED_MAX, heightAt, isOver, merge, nextOf, NOTHING, outAt, pathTo, pauseAfter, payoutAt, queuedFate, ServiceClock, takesBets } from "../built/play/crash/news.js";

const STARTED = 1_795_262_416_000;
const round = (more = {}) => ({ chain: "c", number: 7, status: "betting", cap: 100, previousHash: "p", aboveHeight: 0, openedAt: STARTED - 16_000, ...more });
const flying = (more = {}) => round({ status: "flying", stopped: true, startedAt: STARTED, ...more });
const bet = (id, more = {}) => ({ id, player: "5f1c09a7d3e28b46", token: "t", wager: 1000, cashOut: 100, ...more });
const own = (more = {}) => ({ id: "a", chain: "c", round: 7, token: "t", wager: 1000, cashOut: 100, createdAt: 1, ...more });

test("the service's clock is that of the fastest of the newest messages", () => {
  const clock = new ServiceClock();
  clock.hear(1000, 10); // 990 ahead
  clock.hear(2000, 1500); // it took 490 longer
  assert.equal(clock.at(1600), 2590);
  for (let i = 0; i < 16; i++) clock.hear(3000, 2500); // the service's clock was set back
  assert.equal(clock.at(2500), 3000);
  clock.reset();
  clock.hear(50, 2500);
  assert.equal(clock.at(2600), 150);
});

test("the curve is the table at the service's time, and ends at point and cap", () => {
  assert.equal(heightAt(round(), STARTED + 5000), 100);
  assert.deepEqual([-50, 0, 165, 165.9, 166, 2500, 26_923].map((t) => heightAt(flying(), STARTED + t)), [100, 100, 100, 100, 101, 116, 502]);
  assert.equal(heightAt(flying(), STARTED + 1e7), 10_000, "the cap");
  assert.equal(heightAt(round({ status: "crashed", startedAt: STARTED, point: 5.02 }), STARTED + 1e7), 502);
  assert.equal(heightAt(round({ status: "settled", startedAt: STARTED, point: 231.5 }), STARTED), 10_000, "it never rose above the cap");
  assert.equal(heightAt(round({ status: "cancelled" }), STARTED + 1e7), 100);
});

test("messages are merged: bets are replaced by id, and dropped with their round", () => {
  let known = merge(NOTHING, { now: 1, chain: { id: "c", commitment: "", length: 9 }, round: round(), bets: [bet("a"), bet("b")] }, true);
  known = merge(known, { now: 2, bets: [bet("c")] }, false);
  known = merge(known, { now: 3, round: flying(), bets: [bet("a", { cashedOut: 1.5 })] }, false);
  assert.deepEqual([...known.bets.values()].map(({ id, cashedOut }) => [id, cashedOut]), [["a", 1.5], ["b", undefined], ["c", undefined]]);
  known = merge(known, { now: 4, round: flying({ status: "crashed", point: 2 }) }, false);
  assert.deepEqual([known.bets.size, known.ended.map(({ number }) => number)], [3, [7]]);
  known = merge(known, { now: 5, round: round({ number: 8 }), bets: [bet("d")] }, false);
  assert.deepEqual([[...known.bets.keys()], known.chain.id, known.ended.map(({ number, point }) => [number, point])], [["d"], "c", [[7, 2]]]);
  known = merge(known, { now: 6, round: round({ chain: "other", number: 8 }) }, false);
  assert.equal(known.bets.size, 0, "the same number of another chain is another round");
  known = merge(known, { now: 7, round: round({ number: 9 }), bets: [] }, true);
  assert.deepEqual([known.chain, known.ended.length], [null, 1], "a connection begins anew, the past stays");
});

test("ended rounds are listed once, newest first, and not too many", () => {
  const over = (number, point) => round({ number, status: "settled", point });
  const list = addEnded([over(2, 1), over(1, 1)], [round({ number: 4 }), over(3, 5), over(2, 2)]);
  assert.deepEqual(list.map(({ number, point }) => [number, point]), [[3, 5], [2, 2], [1, 1]]);
  assert.equal(addEnded([], Array.from({ length: 30 }, (_, i) => over(30 - i, 1))).length, ENDED_MAX);
  assert.deepEqual(["betting", "closed", "flying", "crashed", "settled", "cancelled"].filter((status) => isOver(round({ status }))), ["crashed", "settled", "cancelled"]);
});

test("a bet is out by itself when the curve is there, by hand as it was answered", () => {
  assert.deepEqual([199, 200, 201].map((height) => outAt(bet("a", { cashOut: 2 }), height)), [null, 200, 200]);
  assert.equal(outAt(bet("a", { cashOut: 2, cashedOut: 1.16 }), 100), 116);
  assert.equal(outAt(bet("a", { cashOut: 1.1, cashedOut: 1.16 }), 100), 110);
  assert.equal(outAt(bet("a", { cashOut: 1.01 }), 100), null, "a point of 1.00 pays nobody");
  assert.equal(payoutAt(bet("a", { wager: 999 }), 116), 1158n);
  assert.equal(payoutAt(bet("a", { wager: 9_007_199_254_740_993n }), 101), 9_097_271_247_288_402n);
});

test("bets are taken until the service stops them or its clock is at their end", () => {
  const open = round({ closesAt: STARTED });
  assert.deepEqual([takesBets(open, STARTED - 1), takesBets(open, STARTED), takesBets({ ...open, stopped: true }, 0), takesBets(flying(), 0), takesBets(round(), STARTED)], [true, false, false, false, true]);
});

test("the button bets, waits, cashes out, and queues", () => {
  const none = { own: null, queued: false, asking: false, live: true };
  const open = round({ closesAt: STARTED });
  const [before, after] = [STARTED - 1, STARTED + 2500];
  for (const [want, shown, now, mine] of [
    ["wait", null, before, {}],
    ["bet", open, before, {}],
    ["wait", open, before, { live: false }],
    ["queue", open, after, {}],
    ["queued", open, after, { queued: true }],
    ["placed", open, before, { own: own() }],
    ["bet", open, before, { own: own({ round: 6 }) }],
    ["bet", open, before, { own: own({ chain: "other" }) }],
    ["placed", round({ status: "closed" }), after, { own: own() }],
    ["queue", round({ status: "closed" }), after, {}],
    ["placed", flying(), STARTED + 100, { own: own() }],
    ["cashOut", flying(), after, { own: own() }],
    ["cashOut", flying(), after, { own: own(), live: false }],
    ["asking", flying(), after, { own: own(), asking: true }],
    ["queue", flying(), after, { own: own({ cashedOut: 1.1 }) }],
    ["queue", flying(), after, { own: own({ cashOut: 1.1 }) }],
    ["placed", flying({ recovered: true }), after, { own: own() }],
    ["queue", flying(), after, {}],
    ["wait", flying(), after, { live: false }],
    ["queue", round({ status: "crashed", point: 2 }), after, { own: own() }],
    ["queued", round({ status: "settled", point: 2 }), after, { queued: true }],
    ["queue", round({ status: "cancelled" }), after, { own: own() }],
  ]) {
    assert.equal(controlOf(shown, now, { ...none, ...mine }), want, JSON.stringify([shown?.status, mine]));
  }
});

test("a queued bet is for the next round alone", () => {
  const queued = nextOf(flying());
  assert.deepEqual(queued, { chain: "c", number: 8 });
  const next = round({ number: 8, closesAt: STARTED });
  for (const [want, shown, now] of [
    ["wait", flying(), 0], ["wait", round({ status: "settled" }), 0], ["place", next, STARTED - 1], ["drop", next, STARTED], ["drop", { ...next, stopped: true }, 0],
    ["drop", flying({ number: 8 }), 0], ["drop", { ...next, number: 9 }, 0], ["place", { ...next, chain: "d", number: 1 }, 0], ["drop", { ...next, chain: "d", number: 2 }, 0],
  ]) {
    assert.equal(queuedFate(queued, shown, now), want, `${shown.chain} ${shown.number} ${shown.status}`);
  }
});

test("pauses between connections grow up to eight seconds, and differ", () => {
  assert.deepEqual([0, 1, 2, 9].map((failures) => pauseAfter(failures, 0)), [250, 500, 1000, 4000]);
  assert.deepEqual([0, 4, 30].map((failures) => pauseAfter(failures, 1)), [500, 8000, 8000]);
});

test("the curve is drawn within its square", () => {
  for (const height of [100, 101, 250, 10_000, 100_000_000]) {
    const points = pathTo(height).slice(1).split("L").map((each) => each.split(" ").map(Number));
    assert.ok(points.every(([x, y]) => x >= 0 && x <= 100 && y >= 8 && y <= 98), String(height));
    assert.deepEqual(points[0], [0, 98]);
  }
  assert.equal(pathTo(100_000_000).split("L").at(-1), "100.00 8.00");
});

// The example of docs/fairness/shared-crash.md.
const HASH = "b990d9e21b655ca92498ef1f40a45c65727746d21b9b31bd1d401884ebf88b8f";
const SALT = "solana:380000033:EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N";
const TERMINAL = "04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164";
const ROOT = "54b9831a4a554271a77a45d0042ead879e90952aede86b6b646b1ce02f62a7b8";
const TOKEN = "So11111111111111111111111111111111111111112";
const told = (more = {}, bets = {}) => ({
  chain: { id: "2026-1", length: 1000, commitment: `casino crash chain 1\nchain: 2026-1\nepoch: 1\nrules: crash/2\nterminal: ${TERMINAL}\nlength: 1000\nbeacon: solana\nnetwork: n\ndelay: 32\nwindow: 150\n` },
  round: {
    chain: "2026-1", number: 1, status: "settled", cap: 100, previousHash: TERMINAL, aboveHeight: 0, openedAt: 1, startedAt: STARTED, hash: HASH, salt: SALT, height: 380_000_032, beaconHeight: 380_000_033, point: 5.02,
    closing: `casino crash round 1\nchain: 2026-1\nround: 1\ncap: 10000\nseen: 380000000\nheight: 380000032\nbets: 3\nroot: ${ROOT}\n`, ...more,
  },
  bets: [
    { id: "a", cashOut: 1.1, payout: 1_100_000 }, { id: "b", cashOut: 100, cashedOut: 1.16, payout: 1_160_000 }, { id: "c", cashOut: 100, payout: 0 },
  ].map((each) => ({ player: "p", token: TOKEN, wager: 1_000_000, multiplier: 0, ...each, ...bets[each.id] })),
});
const failed = (of) => [...check(of)].filter(([, same]) => !same).map(([name]) => name);

test("a round is recomputed", async () => {
  assert.equal(pointOf(HASH, SALT), 502);
  assert.deepEqual([...check(told())], ["hash", "closing", "beacon", "point", "payouts"].map((name) => [name, true]));
  assert.equal(await leadsToTerminal(told(), () => true), true);
  assert.equal(await leadsToTerminal(told({ number: 2 }), () => true), false);
  assert.equal(await leadsToTerminal(told(), () => false), null);
  assert.equal(rootOf([]).length, 32);
});

test("each lie about a round is found", () => {
  const lie = "0".repeat(64);
  for (const [want, of] of [
    [["hash", "point", "payouts"], told({ hash: lie })], [["hash"], told({ previousHash: lie })], [["closing"], told({ closing: told().round.closing.replace("bets: 3", "bets: 2") })],
    [["closing"], told({ aboveHeight: 380_000_001 })], [["closing"], told({}, { a: { wager: 1_000_001, payout: 1_100_001 } })], [["closing"], told({}, { c: { cashOut: 50 } })], [["closing"], told({ cap: 200 })],
    [["closing", "beacon"], told({ closing: told().round.closing.replace("380000032", "380000031") })], [["beacon"], told({ beaconHeight: 380_000_034 })],
    [["beacon", "point"], told({ salt: SALT.replace("380000033", "380000182"), beaconHeight: 380_000_182 })], [["beacon", "point"], told({ salt: SALT.replace("solana", "drand") })],
    [["point"], told({ point: 5.03 })], [["payouts"], told({}, { c: { payout: 1 } })], [["payouts"], told({}, { b: { cashedOut: 5.03, payout: 5_030_000 } })], [["payouts"], told({}, { a: { payout: 1_099_999 } })],
  ]) {
    assert.deepEqual(failed(of), want);
  }
  assert.deepEqual([...check(told({ hash: undefined, salt: undefined, point: undefined, closing: undefined }))], [], "nothing is checked that isn't known");
});
