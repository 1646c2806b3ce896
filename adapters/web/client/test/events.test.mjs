import assert from "node:assert/strict";
import test from "node:test";
import { Casino, Refusal, SessionEnded } from "../dist/index.js";
import { fails, lost, refused, served } from "./served.mjs";

/** A stream that says these texts and then ends, breaks or stays. */
const stream = (texts, then = "end") => (request, response) => {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const text of texts) response.write(text);
  if (then === "end") response.end();
  if (then === "break") setTimeout(() => response.destroy(), 50);
};

const event = (n) => `id: at${n}\ndata: {"id":"${n}","data":{"amount":9007199254740993}}\n\n`;

async function take(events, n) {
  const all = [];
  for await (const each of events) if (all.push(each) === n) break;
  return all;
}

test("a stream goes on after what came last, over connections that end, break, and aren't answered", async (t) => {
  const { base, asked } = await served(t, [stream([event(1), event(2)]), lost, { status: 502, body: "" }, stream([event(3)], "break"), stream([":\n\n", event(4)], "stay")]);
  const all = await take(new Casino(base, { token: "t" }).events({ types: ["round.settled", "balance.changed"] }), 4);
  assert.deepEqual(all.map(({ id, cursor }) => `${id} ${cursor}`), ["1 at1", "2 at2", "3 at3", "4 at4"]);
  assert.equal(all[0].data.amount, 9007199254740993n);
  assert.deepEqual(asked.map(({ headers }) => headers["last-event-id"]), [undefined, "at2", "at2", "at2", "at3"]);
  assert.ok(asked.every(({ url, headers }) => url === "/casino/events?types=round.settled%2Cbalance.changed" && headers.authorization === "Bearer t"));
});

test("the place that a stream begins at is where it goes on before the first event", async (t) => {
  const { base, asked } = await served(t, [stream(["id: begun\n\n"]), stream([event(1)], "stay")]);
  assert.deepEqual((await take(new Casino(base).events(), 1)).map(({ id }) => id), ["1"]);
  assert.deepEqual(asked.map(({ headers }) => headers["last-event-id"]), [undefined, "begun"]);
});

test("an event that whoever reads hasn't finished with isn't passed over", async (t) => {
  const { base, asked } = await served(t, [stream([event(1), event(2)], "stay")]);
  const casino = new Casino(base);
  const [first] = await take(casino.events(), 1);
  await take(casino.events({ cursor: first.cursor }), 1);
  assert.equal(asked[1].headers["last-event-id"], "at1");
});

test("messages come in pieces of any length", async (t) => {
  const text = `: hello\r\n\r\nretry: 5\nid: at1\ndata: {"id":\ndata: "é"}\n\n`;
  const bytes = Buffer.from(text);
  const pieces = (request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    let at = 0;
    const next = () => at < bytes.length && response.write(bytes.subarray(at, ++at), () => setImmediate(next));
    next();
  };
  const { base } = await served(t, [pieces]);
  assert.deepEqual(await take(new Casino(base).events(), 1), [{ id: "é", cursor: "at1" }]);
});

test("a connection that says nothing is left for another one", async (t) => {
  const { base, asked } = await served(t, [(request, response) => stream([event(request.headers["last-event-id"] === "at1" ? 2 : 1)], "stay")(request, response)]);
  let opened = 0;
  const all = await take(new Casino(base).events({ silenceMs: 300, onOpen: () => opened++ }), 2);
  assert.deepEqual(all.map(({ id }) => id), ["1", "2"]);
  assert.ok(asked.length >= 2 && opened >= 2);
});

test("it waits as long as the service asks, and fails where coming back doesn't help", async (t) => {
  const { base, asked } = await served(t, [refused(429, "RATE_LIMITED", {}, { "Retry-After": "0" }), refused(401, "EXPIRED_TOKEN")]);
  assert.ok((await fails(take(new Casino(base, { token: "t" }).events(), 1))) instanceof SessionEnded);
  assert.equal(asked.length, 2);
  const gone = await served(t, [refused(409, "INVALID_STATE", { cursor: "at9" })]);
  const failure = await fails(take(new Casino(gone.base).events({ cursor: "at1" }), 1));
  assert.ok(failure instanceof Refusal);
  assert.equal(failure.code, "INVALID_STATE");
});

test("a signal ends the iteration, while it listens and while it pauses", async (t) => {
  for (const answer of [stream([event(1)], "stay"), refused(503, "UNAVAILABLE", {}, { "Retry-After": "60" })]) {
    const { base, asked } = await served(t, [answer]);
    const ends = new AbortController();
    const waits = setInterval(() => asked.length > 0 && ends.abort(), 20);
    for await (const each of new Casino(base).events({ signal: ends.signal })) assert.equal(each.id, "1");
    clearInterval(waits);
    assert.equal(asked.length, 1);
  }
});

test("the feed is everybody's: no token, no place", async (t) => {
  const { base, asked } = await served(t, [stream(['data: {"id":"b1","wager":1}\n\n']), stream(['data: {"id":"b2","wager":1}\n\n'], "stay")]);
  assert.deepEqual((await take(new Casino(base, { token: "t" }).feed(), 2)).map(({ id }) => id), ["b1", "b2"]);
  assert.ok(asked.every(({ url, headers }) => url === "/casino/public/feed" && headers.authorization === undefined && headers["last-event-id"] === undefined));
});
