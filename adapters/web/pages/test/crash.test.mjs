import assert from "node:assert/strict";
import test from "node:test";
import { addEnded, controlOf, ENDED_MAX, heightAt, isIdle, isOver, merge, nextOf, NOTHING, outAt, pathTo, pauseAfter, payoutAt, queuedFate, ServiceClock, takesBets } from "../built/play/crash/news.js";

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

test("no round is open when another one should have begun", () => {
  const ended = flying({ status: "settled", point: 5.02 }); // its curve was at 5.02 after 26.9 s
  assert.deepEqual([41_800, 42_000].map((t) => isIdle(ended, STARTED + t)), [false, true]);
  const cancelled = round({ status: "cancelled", closesAt: STARTED });
  assert.deepEqual([15_000, 15_001].map((t) => isIdle(cancelled, STARTED + t)), [false, true]);
  assert.equal(isIdle(flying(), STARTED + 1e7), false);
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
