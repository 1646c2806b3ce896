import assert from "node:assert/strict";
import test from "node:test";
import { afterRound, beginRun } from "../built/play/auto-plan.js";

const plan = { count: null, onWin: null, onLoss: null, profit: null, loss: null };
const won = { wager: 100n, payout: 198n };
const lost = { wager: 100n, payout: 0n };
const most = 1_000n;

test("a run without a plan goes on at its first wager", () => {
  const { run, end } = afterRound(plan, beginRun(100n), lost, most);
  assert.deepEqual([run.wager, run.played, run.net, end], [100n, 1, -100n, null]);
});

test("a loss doubles the wager, and a win returns to the first one", () => {
  const martingale = { ...plan, onLoss: 100 };
  const once = afterRound(martingale, beginRun(100n), lost, most).run;
  assert.equal(once.wager, 200n);
  const back = afterRound(martingale, once, { wager: 200n, payout: 396n }, most).run;
  assert.deepEqual([back.wager, back.net], [100n, 96n]);
});

test("a returned stake leaves the wager, also in the middle of a run", () => {
  const both = { ...plan, onWin: 100, onLoss: 50 };
  const raised = afterRound(both, beginRun(100n), lost, most).run;
  for (const changes of [both, plan]) assert.equal(afterRound(changes, raised, { wager: 150n, payout: 150n }, most).run.wager, 150n);
});

test("a payout below the stake is a loss", () => {
  assert.equal(afterRound({ ...plan, onWin: 100, onLoss: 50 }, beginRun(100n), { wager: 100n, payout: 99n }, most).run.wager, 150n);
});

test("increases are rounded down to base units", () => {
  assert.equal(afterRound({ ...plan, onWin: 33 }, beginRun(10n), { wager: 10n, payout: 20n }, most).run.wager, 13n);
});

test("a run ends at its count, its profit, its loss, and above the greatest wager", () => {
  const ends = (more, round) => afterRound({ ...plan, ...more }, beginRun(100n), round, most).end;
  assert.equal(ends({ count: 1 }, lost), "count");
  assert.equal(ends({ count: 2 }, lost), null);
  assert.equal(ends({ profit: 98n }, won), "profit");
  assert.equal(ends({ profit: 99n }, won), null);
  assert.equal(ends({ loss: 100n }, lost), "loss");
  assert.equal(ends({ loss: 101n }, lost), null);
  assert.equal(ends({ onLoss: 900 }, lost), null);
  assert.equal(ends({ onLoss: 901 }, lost), "limit");
});

test("a profit is named before the count that ends at the same bet", () => {
  assert.equal(afterRound({ ...plan, count: 1, profit: 1n }, beginRun(100n), won, most).end, "profit");
});
