import assert from "node:assert/strict";
import test from "node:test";
import { isNewer, phaseAt, readHeld, RENEW_MS, untilNextPhase } from "../built/shared/held.js";
import { inApp, walletApps } from "../built/shared/wallet-apps.js";

const HELD = { wallet: "w", name: "Phantom", demo: false, token: "t", endsAt: 2_000_000 };

test("a session ends soon three minutes before its end, and is over at it", () => {
  const { endsAt } = HELD;
  for (const [now, want, left] of [
    [0, "lasting", endsAt - RENEW_MS], [endsAt - RENEW_MS - 1, "lasting", 1], [endsAt - RENEW_MS, "ending", RENEW_MS], [endsAt - 1, "ending", 1], [endsAt, "over", 0],
  ]) {
    assert.equal(phaseAt(endsAt, now), want, `at ${now}`);
    assert.equal(untilNextPhase(endsAt, now), left, `at ${now}`);
  }
});

test("only a session is read", () => {
  assert.deepEqual(readHeld({ ...HELD, more: 1 }), HELD);
  for (const data of [null, undefined, "t", 1, [], {}, { ...HELD, token: null }, { ...HELD, wallet: 1 }, { ...HELD, name: undefined }, { ...HELD, demo: "no" }, { ...HELD, endsAt: "2000000" }, { ...HELD, endsAt: Infinity }, { ...HELD, endsAt: 1.5 }]) {
    assert.equal(readHeld(data), null, JSON.stringify(data));
  }
});

test("a tab takes a later session that lasts", () => {
  const later = { ...HELD, endsAt: HELD.endsAt + 1 };
  assert.equal(isNewer(HELD, null, 1), true);
  assert.equal(isNewer(later, HELD, 1), true);
  assert.equal(isNewer({ ...later, wallet: "another" }, HELD, 1), true);
  assert.equal(isNewer(HELD, HELD, 1), false, "the same, which was refused or signed out here");
  assert.equal(isNewer(HELD, later, 1), false, "an earlier one");
  assert.equal(isNewer(later, HELD, later.endsAt), false, "one that is over");
  assert.equal(isNewer({ ...later, token: "" }, HELD, 1), false, "one that has ended");
});

test("wallets' links open the page at its place", () => {
  const links = walletApps.map((app) => inApp(app, "https://casino.example/sub/#/game/mines"));
  const page = "https%3A%2F%2Fcasino.example%2Fsub%2F%23%2Fgame%2Fmines?ref=https%3A%2F%2Fcasino.example";
  assert.deepEqual(links, [`https://phantom.app/ul/browse/${page}`, `https://solflare.com/ul/v1/browse/${page}`, `https://backpack.app/ul/v1/browse/${page}`]);
});
