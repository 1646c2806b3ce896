// Which seed pair bets expect, and when a pair is rotated before.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";
import { Casino, NoAnswer, newClientSeed } from "../dist/index.js";

const bet = { gameType: "dice", wager: 1, token: "t" };

/** A house with one player: pairs that end, and bets that are refused where they expect another pair. */
async function house(t, state) {
  const asked = [];
  const now = { pair: 1, nonce: 0, source: "server", held: false, lose: 0, void: false, ...state };
  const seed = () => ({ serverSeedHash: `hash ${now.pair}`, nonce: now.nonce, clientSeedSource: now.source });
  const kept = new Map();
  const answers = {
    "GET /casino/seed": () => [200, seed()],
    "POST /casino/seed/rotate": ({ clientSeed, expectedServerSeedHash }) => {
      if (now.held) return [409, { code: "INVALID_STATE", details: { status: "open" } }];
      if (expectedServerSeedHash !== undefined) assert.equal(expectedServerSeedHash, `hash ${now.pair}`);
      assert.match(clientSeed, /^[0-9a-f]{32}$|^mine$/);
      Object.assign(now, { pair: now.pair + 1, nonce: 0, source: "player" });
      return [200, { revealed: {}, seed: seed() }];
    },
    "POST /casino/play": (body, key) => {
      if (kept.has(key)) return kept.get(key);
      if (body.expectedServerSeedHash !== `hash ${now.pair}`) return [409, { code: "INVALID_STATE", details: { field: "expectedServerSeedHash" } }];
      if (body.expectedNonce !== now.nonce) return [409, { code: "INVALID_STATE", details: { field: "expectedNonce" } }];
      const round = { id: key, serverSeedHash: `hash ${now.pair}`, nonce: now.nonce++, outcome: now.void ? null : {} };
      if (now.void) Object.assign(now, { pair: now.pair + 1, nonce: 0, source: "repeated", void: false });
      kept.set(key, [200, { round, balance: 1 }]);
      return kept.get(key);
    },
  };
  answers["POST /casino/rounds"] = answers["POST /casino/play"];
  const server = createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const what = `${request.method} ${request.url}`;
      const body = JSON.parse(Buffer.concat(pieces).toString() || "null");
      asked.push(what.replace("/casino", ""));
      const [status, answer] = answers[what](body, request.headers["idempotency-key"]);
      if (what.endsWith("/play") && now.lose > 0) {
        now.lose--;
        return request.socket.destroy();
      }
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  }));
  return { now, asked, casino: new Casino(`http://127.0.0.1:${server.address().port}/casino`, { attempts: 1 }) };
}

test("a pair of the server's is rotated before the first bet, with a random client seed", async (t) => {
  const { asked, casino } = await house(t);
  const { round } = await casino.play(bet);
  assert.deepEqual([round.serverSeedHash, round.nonce], ["hash 2", 0]);
  assert.equal((await casino.openRound(bet)).round.nonce, 1);
  assert.deepEqual(asked, ["GET /seed", "POST /seed/rotate", "POST /play", "POST /rounds"]);
  assert.notEqual(newClientSeed(), newClientSeed());
});

test("a pair of the player's is bet with as it is", async (t) => {
  const { asked, casino } = await house(t, { source: "player", nonce: 7 });
  assert.equal((await casino.play(bet)).round.nonce, 7);
  assert.deepEqual(asked, ["GET /seed", "POST /play"]);
});

test("bets that are made at once are sent one after another, each with its nonce", async (t) => {
  const { casino } = await house(t);
  const played = await Promise.all(Array.from({ length: 5 }, () => casino.play(bet)));
  assert.deepEqual(played.map(({ round }) => round.nonce), [0, 1, 2, 3, 4]);
});

test("where another device bet or rotated, the pair is read again", async (t) => {
  const { now, casino } = await house(t, { source: "player" });
  await casino.play(bet);
  now.nonce = 5;
  assert.equal((await casino.play(bet)).round.nonce, 5);
  Object.assign(now, { pair: 9, nonce: 0, source: "repeated" }); // the pair ended by itself
  const { round } = await casino.play(bet);
  assert.deepEqual([round.serverSeedHash, now.source], ["hash 10", "player"]);
});

test("after a void round the next pair gets a client seed of the player's", async (t) => {
  const { now, asked, casino } = await house(t, { source: "player" });
  now.void = true;
  assert.equal((await casino.play(bet)).round.outcome, null);
  assert.equal((await casino.play(bet)).round.serverSeedHash, "hash 3");
  assert.deepEqual(asked, ["GET /seed", "POST /play", "GET /seed", "POST /seed/rotate", "POST /play"]);
});

test("a bet whose answer was lost is repeated under its key, with what it expected", async (t) => {
  const { now, casino } = await house(t, { source: "player", lose: 1 });
  assert.ok((await casino.play(bet, { idempotencyKey: "k" }).catch((failure) => failure)) instanceof NoAnswer);
  assert.equal((await casino.play(bet, { idempotencyKey: "k" })).round.nonce, 0);
  assert.equal((await casino.play(bet)).round.nonce, 1);
  assert.equal(now.nonce, 2);
});

test("a pair that rounds are open of is bet with as it is", async (t) => {
  const { casino } = await house(t, { held: true, nonce: 3 });
  assert.equal((await casino.play(bet)).round.nonce, 3);
});

test("a rotation without a client seed chooses a random one, and the next bet expects the next pair", async (t) => {
  const { now, casino } = await house(t, { source: "player" });
  await casino.play(bet);
  await casino.rotateSeed();
  await casino.rotateSeed("mine");
  assert.equal((await casino.play(bet)).round.serverSeedHash, `hash ${now.pair}`);
});
