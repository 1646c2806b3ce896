import assert from "node:assert/strict";
import test from "node:test";
import { Casino, NoAnswer, Refusal, SessionEnded, decimal, parse, stringify, units } from "../dist/index.js";
import { fails, lost, refused, served } from "./served.mjs";

const bet = { gameType: "dice", wager: 9007199254740993n, token: "t" };
const quick = { attempts: 4, pauseMaxMs: 1_000 };

test("a call that moves money is repeated under its one key", async (t) => {
  const busy = refused(503, "UNAVAILABLE", { outcome: "unknown" }, { "Retry-After": "0" });
  const limited = refused(429, "RATE_LIMITED", {}, { "Retry-After": "0" });
  const { base, asked } = await served(t, [lost, busy, limited, { body: { balance: 1, round: {} } }]);
  await new Casino(base, quick).as("token").call("POST /play")({ body: bet });
  const keys = new Set(asked.map(({ headers }) => headers["idempotency-key"]));
  assert.equal(asked.length, 4);
  assert.equal(keys.size, 1);
  assert.match([...keys][0], /^[0-9a-f]{32}$/);
  assert.ok(asked.every(({ body }) => body === asked[0].body && body.includes("9007199254740993")));
  assert.equal(asked[0].headers.authorization, "Bearer token");
});

test("each call has a key of its own, unless the caller has one", async (t) => {
  const { base, asked } = await served(t, [{ body: {} }]);
  const casino = new Casino(base);
  await casino.call("POST /play")({ body: bet });
  await casino.call("POST /play")({ body: bet });
  await casino.call("POST /play")({ body: bet, idempotencyKey: "mine" });
  assert.equal(asked[2].headers["idempotency-key"], "mine");
  assert.equal(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size, 3);
});

test("receipts are asked for where the client's owner wants them", async (t) => {
  const { base, asked } = await served(t, [{ body: { receipt: { kid: "k" } } }]);
  const casino = new Casino(base, { receipts: true }).as("token");
  assert.equal((await casino.call("POST /play")({ body: bet })).receipt.kid, "k");
  await casino.balances().catch(() => undefined);
  await new Casino(base).call("POST /play")({ body: bet });
  assert.deepEqual(asked.map(({ headers }) => headers.prefer), ["receipt", undefined, undefined]);
});

test("without an answer a call gives up after its attempts and names its key", async (t) => {
  const { base, asked } = await served(t, [lost]);
  const failure = await fails(new Casino(base, { attempts: 2 }).withdraw({ amount: 1, token: "t", destination: "d" }));
  assert.ok(failure instanceof NoAnswer);
  assert.equal(asked.length, 2);
  assert.equal(failure.idempotencyKey, asked[0].headers["idempotency-key"]);
});

test("what may not happen twice is sent once", async (t) => {
  const { base, asked } = await served(t, [lost]);
  assert.ok((await fails(new Casino(base, quick).signOut())) instanceof NoAnswer);
  assert.equal(asked.length, 1);
});

test("a write without a key is repeated only where nothing was done", async (t) => {
  const none = refused(503, "UNAVAILABLE", { outcome: "none" }, { "Retry-After": "0" });
  const unknown = refused(503, "UNAVAILABLE", { outcome: "unknown" }, { "Retry-After": "0" });
  const { base, asked } = await served(t, [none, unknown]);
  const failure = await fails(new Casino(base, quick).call("PATCH /admin/whitelabel")({ body: { title: "x" } }));
  assert.equal(failure.details.outcome, "unknown");
  assert.equal(asked.length, 2);
});

test("what the service doesn't have, and a pause of play, are not asked for again", async (t) => {
  for (const refusal of [refused(503, "UNAVAILABLE", { status: "notProvided", outcome: "none" }), refused(503, "API_CHECKING", { reason: "paused" }), refused(500, "INTERNAL_ERROR")]) {
    const { base, asked } = await served(t, [refusal]);
    await fails(new Casino(base, quick).call("POST /play")({ body: bet }));
    assert.equal(asked.length, 1);
  }
});

test("a gateway's answer says nothing: what may be repeated is", async (t) => {
  const { base, asked } = await served(t, [{ status: 502, body: "<html>bad gateway</html>" }, { body: { balances: [] } }]);
  assert.equal((await new Casino(base, quick).balances()).size, 0);
  assert.equal(asked.length, 2);
});

test("a service that asks for a longer wait than one is ready for has refused", async (t) => {
  const { base, asked } = await served(t, [refused(429, "RATE_LIMITED", { retryAfterMs: 60_000 }, { "Retry-After": "60" })]);
  const failure = await fails(new Casino(base, quick).balances());
  assert.equal(failure.retryAfterMs, 60_000);
  assert.equal(asked.length, 1);
});

test("a refusal has code, status, details and the request's id", async (t) => {
  const { base } = await served(t, [refused(400, "INVALID_PARAMETER", { field: "wager" })]);
  const failure = await fails(new Casino(base).play(bet));
  assert.ok(failure instanceof Refusal && !(failure instanceof SessionEnded));
  assert.deepEqual([failure.code, failure.status, failure.details.field, failure.requestId, failure.message], ["INVALID_PARAMETER", 400, "wager", "r1", "no"]);
});

test("an ended session is an error of its own, a refused sign-in is not", async (t) => {
  const { base } = await served(t, [refused(401, "EXPIRED_TOKEN"), refused(401, "INVALID_SIGNATURE")]);
  assert.ok((await fails(new Casino(base, { token: "old" }).balances())) instanceof SessionEnded);
  const failure = await fails(new Casino(base).signIn("w", () => "s"));
  assert.ok(failure instanceof Refusal && !(failure instanceof SessionEnded));
});

test("a stale sign-in is signed again once, with the service's time", async (t) => {
  const stale = refused(401, "STALE_TIMESTAMP", { serverTime: 1_700_000_000_000 });
  const { base, asked } = await served(t, [stale, { body: { token: "b" } }, stale]);
  const signed = [];
  const sign = (bytes) => (signed.push(new TextDecoder().decode(bytes)), "s");
  assert.equal((await new Casino(base).signIn("w", sign)).token, "b");
  assert.equal(signed[1], "casino-auth:w:1700000000000");
  assert.equal(JSON.parse(asked[1].body).timestamp, 1_700_000_000_000);
  assert.equal((await fails(new Casino(base).signIn("w", sign))).code, "STALE_TIMESTAMP");
  assert.equal(signed.length, 4);
});

test("an answer that doesn't come in time is none", async (t) => {
  const { base, asked } = await served(t, [() => {}, { body: { balances: [{ token: "t", balance: 1 }] } }]);
  assert.deepEqual([...(await new Casino(base, { timeoutMs: 300 }).balances())], [["t", 1n]]);
  assert.ok(asked.length >= 2);
});

test("a signal ends a call, a pause and a list with its reason", async (t) => {
  const { base, asked } = await served(t, [refused(503, "UNAVAILABLE", {}, { "Retry-After": "1" })]);
  const reason = new Error("enough");
  const ends = new AbortController();
  const waiting = fails(new Casino(base).balances({ signal: ends.signal }));
  const paused = setInterval(() => asked.length > 0 && ends.abort(reason), 5);
  assert.equal(await waiting, reason);
  clearInterval(paused);
  assert.equal(await fails(new Casino(base).balances({ signal: AbortSignal.abort(reason) })), reason);
  assert.equal(asked.length, 1);
});

test("lists are read page by page, as far as they are asked for", async (t) => {
  const page = (ids, nextCursor) => ({ body: { page: null, limit: 2, total: 3, nextCursor, rounds: ids.map((id) => ({ id })) } });
  const { base, asked } = await served(t, [page(["a", "b"], "after b"), page(["c"], null)]);
  const ids = [];
  for await (const { id } of new Casino(base).history({ limit: 2, gameType: "dice" })) ids.push(id);
  assert.deepEqual(ids, ["a", "b", "c"]);
  assert.deepEqual(asked.map(({ url }) => url), ["/casino/history?limit=2&gameType=dice", "/casino/history?limit=2&gameType=dice&cursor=after+b"]);
});

test("parts of a path are escaped", async (t) => {
  const { base, asked } = await served(t, [{ body: {} }]);
  await new Casino(`${base}/`).call("GET /history/{id}")({ path: { id: "a/b?c" } });
  assert.equal(asked[0].url, "/casino/history/a%2Fb%3Fc");
});

test("integers keep every digit, and amounts become decimals and back", () => {
  const text = '{"a":9223372036854775807,"b":-9007199254740993,"c":1.5,"d":"9223372036854775807","e":[12345678901234567890]}';
  assert.equal(stringify(parse(text)), text);
  assert.equal(parse(text).a, 9223372036854775807n);
  assert.equal(parse('{"a":9007199254740991}').a, 9007199254740991);
  assert.equal(decimal(9223372036854775807n, 9), "9223372036.854775807");
  assert.equal(decimal(-5, 2), "-0.05");
  assert.equal(units("9223372036.854775807", 9), 9223372036854775807n);
  assert.equal(units("1.001", 2), null);
  assert.equal(units("x", 2), null);
  assert.equal(units(" .5 ", 2), 50n);
  for (const text of ["1,500", "1,5", "1.500,00", "1,500.00", "1 500", "1\u00a0500", "1'500", "1.500.000", "1_500"]) {
    assert.throws(() => units(text, 9), RangeError, text);
  }
});
