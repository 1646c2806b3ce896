import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import test from "node:test";
import { readReceiptKeys } from "@casino-service/verify";
import { check, compare, compareKeys, compareShown, evidenceOf, keep, keysText, receiptLines, refusalLines, sealOf, surplus } from "../built/play/receipts/rules.js";

const WALLET = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const shownKey = (kid, key = publicKey) => ({ use: "receipts", kid, publicKey: key.export({ type: "spki", format: "der" }).toString("base64") });
const seen = compareKeys([], [shownKey("k")], 1).added;
const keys = readReceiptKeys(keysText(seen));
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();

const integer = (n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(n));
  return bytes;
};
const word = (text) => Buffer.concat([integer(Buffer.byteLength(text)), Buffer.from(text)]);

/** The receipt of an event with these fields that is alone in its block. */
function receiptOf(leaf, id, fields, { seq = 1, previous = "0".repeat(64), time = 1 } = {}) {
  const encoded = Buffer.concat([...["event", leaf.kind, id, WALLET, leaf.was].map(word), integer(fields.length), ...fields.flat().map(word)]);
  const header = `casino block 3\nlane: 0\nseq: ${seq}\nepoch: 1\nprevious: ${previous}\ntime: ${time}\nroot: ${sha(Buffer.from([0]), encoded).toString("hex")}\nsize: 1\n`;
  const text = `casino receipt 1\nledger: l\n${header}`;
  return { header, receipt: { text, kid: "k", signature: sign(null, Buffer.from(text), privateKey).toString("base64"), index: 0, path: "", leaf } };
}

const answerOf = (path, asked, said, more = {}) => ({ wallet: WALLET, path, asked: JSON.stringify(asked), key: "", at: 1000, ok: true, text: JSON.stringify(said), ...more });

function rotation(at) {
  const { header, receipt } = receiptOf({ kind: "pair", id: "p", was: "", fields: ["", "", "", "", "", ""] }, "p", [["commitment", "c"], ["clientSeed", "mine"], ["clientSource", "player"]], at);
  return { header, kept: keep(answerOf("/seed/rotate", {}, { seed: { serverSeedHash: "c", clientSeed: "mine", clientSeedSource: "player" }, receipt })) };
}

async function checked(kept, neighbours = [], siblings = []) {
  return compare(kept, await check(kept, keys, new Map()), neighbours, siblings);
}

const OPEN = {
  id: "r", status: "open", gameType: "mines", rules: "mines/1", token: "t", wager: 100, stake: 100, nonce: 3, maxPayout: 1000, serverSeedHash: "c", clientSeed: "mine",
  clientSeedSource: "player", asked: { mines: 3, maxMultiplier: 20 }, config: { mines: 3, maxMultiplier: 10 }, actions: [],
};
const BET = { gameType: "mines", token: "t", wager: 100, config: { mines: 3, maxMultiplier: 20 }, expectedServerSeedHash: "c", expectedNonce: 3 };

/** An open round with a receipt that holds, whatever the round says. */
function opened(changes = {}, asked = BET, path = "/rounds") {
  const round = { ...OPEN, ...changes };
  const write = (value) => (typeof value === "string" ? `"${value}"` : Array.isArray(value) ? `[${value.map(write).join(", ")}]` : typeof value === "object" && value !== null ? `{${Object.entries(value).map(([name, of]) => `${name}: ${write(of)}`).join(", ")}}` : value === undefined ? "absent" : String(value));
  const fields = [
    ["game", round.gameType], ["rules", round.rules], ["token", round.token], ...["wager", "stake"].map((name) => [name, String(round[name])]),
    ...["config", "asked"].map((name) => [name, write(round[name])]), ["maxPayout", String(round.maxPayout)], ["commitment", round.serverSeedHash],
    ["clientSeed", round.clientSeed], ["clientSource", round.clientSeedSource], ["nonce", String(round.nonce)],
    ...["actions", "shown", "choices"].map((name) => [name, write(round[name])]), ["maxMultiplierNum", "10"], ["maxMultiplierDen", "1"],
  ];
  const { receipt } = receiptOf({ kind: "round.open", was: "", fields: ["", "", "10", "1", "", "", ""] }, "r", fields);
  return keep(answerOf(path, asked, { round: { ...round, maxMultiplier: 10 }, receipt }));
}

const fault = async (kept) => (await checked(kept)).fault;

test("a receipt that holds is right, a changed answer and another key's are not", async () => {
  const { kept } = rotation();
  assert.equal((await checked(kept)).state, "right");
  assert.match(await fault({ ...kept, text: kept.text.replace('"mine"', '"other"') }), /^path: /);
  assert.match(await fault({ ...kept, wallet: "another" }), /^path: /);
  const others = readReceiptKeys(keysText([shownKey("k", generateKeyPairSync("ed25519").publicKey)]));
  assert.match((await check(kept, others, new Map())).fault, /^signature: /);
});

test("heads that contradict one another are found, whichever comes first", async () => {
  const first = rotation({ seq: 1 });
  const hash = createHash("sha256").update(first.header).digest("hex");
  const one = await checked(first.kept);
  for (const [name, at, want] of [
    ["another block of its place", { seq: 1, time: 2 }, /^two histories: they have different blocks/],
    ["a block that follows another one", { seq: 2 }, /^two histories: the block of lane 0, seq 2 does not follow/],
    ["the block that follows", { seq: 2, previous: hash }, null],
    ["a block far after", { seq: 9 }, null],
  ]) {
    const other = rotation(at).kept;
    for (const found of [await checked(other, [one]), await checked(first.kept, [await checked(other)])]) {
      if (want === null) assert.equal(found.fault, null, name);
      else {
        assert.match(found.fault, want, name);
        assert.equal(found.against.length, 1, name);
        assert.equal(evidenceOf(found)[0].text.trim().split("\n").length, 2, name);
      }
    }
  }
});

test("a round is what was asked for", async () => {
  assert.equal(await fault(opened()), null);
  for (const [sent, want] of [
    [{ gameType: "dice" }, /gameType/], [{ token: "u" }, /token/], [{ wager: 99 }, /wager/], [{ expectedServerSeedHash: "d" }, /serverSeedHash/], [{ expectedNonce: 4 }, /nonce/],
    [{ config: { mines: 4 } }, /config\.mines/],
  ]) assert.match(await fault(opened({}, { ...BET, ...sent })), new RegExp(`^asked: .*${want.source}`));
  const taken = opened({ actions: [{ type: "open", tile: 1 }] }, { step: 0, action: { type: "open", tile: 1 } }, "/rounds/{id}/steps");
  assert.equal(await fault(taken), null);
  assert.match(await fault({ ...taken, asked: '{"step":0,"action":{"type":"open","tile":2}}' }), /^asked: action/);
});

test("the bound of a stepped round is the published function", async () => {
  assert.match(await fault(opened({ config: { mines: 3, maxMultiplier: 9 } })), /^bound: /);
  assert.match(await fault(opened({ maxPayout: 900 })), /^bound: /);
  assert.equal(await fault(opened({ rules: "own/1", config: { any: 1 } })), null); // a game that the page doesn't know
});

test("a round keeps its terms from its opening to its end", async () => {
  const first = await checked(opened());
  const end = { ...first, settled: true, text: first.text.replace('"status":"open"', '"outcome":{},"payout":0,"multiplier":0,"createdAt":1') };
  const good = { fault: null, head: null };
  assert.equal(compare(end, good, [], [first]).state, "signed");
  const other = { ...end, text: end.text.replaceAll('"mines":3,"maxMultiplier":10', '"mines":4,"maxMultiplier":10') };
  assert.match(compare(other, good, [], [first]).fault, /^two answers: round r has another config/);
  const paid = { ...end, text: end.text.replace('"payout":0', '"payout":1') };
  assert.match(compare(paid, good, [], [{ ...end, state: "right" }]).fault, /another payout/);
});

test("the history shows the round of the receipt", () => {
  const round = { id: "r", gameType: "dice", rules: "dice/1", token: "t", wager: 100, payout: 0, multiplier: 0, config: {}, outcome: { roll: 1 }, serverSeedHash: "c", clientSeed: "m", clientSeedSource: "player", nonce: 1, createdAt: 5 };
  const kept = { ...keep(answerOf("/play", {}, { round, receipt: {} })), state: "signed" };
  assert.equal(compareShown(kept, JSON.stringify({ ...round, serverSeed: "revealed" })).state, "right");
  const changed = compareShown(kept, JSON.stringify({ ...round, payout: 5 }));
  assert.deepEqual([changed.state, changed.fault], ["wrong", "history: round r has another payout"]);
  assert.deepEqual(evidenceOf(changed).map(({ name }) => name), ["evidence.jsonl", "history.jsonl"]);
  assert.equal(JSON.parse(evidenceOf(changed)[1].text).rounds[0].payout, 5);
  assert.equal(compareShown({ ...kept, state: "right" }, null).fault, "history: round r is missing");
  assert.equal(compareShown({ ...kept, state: "new" }, null).state, "new"); // its signature comes first
  assert.equal(compareShown(changed, JSON.stringify(round)).state, "wrong"); // for ever
});

test("what is kept of answers", () => {
  const round = { id: "r" };
  assert.deepEqual([keep(answerOf("/play", {}, { round })).state, keep(answerOf("/play", {}, { round, receipt: {} })).state], ["missing", "new"]);
  assert.equal(keep(answerOf("/deposit", {}, { transaction: { id: "d" } })), null);
  assert.equal(keep(answerOf("/deposit", {}, { transaction: { id: "d" }, receipt: {} })).id, "d");
  const refused = (said, path = "/play") => keep(answerOf(path, {}, said, { ok: false }));
  assert.equal(refused({ code: "INVALID_PARAMETER" }), null);
  assert.equal(refused({ code: "WAGER_OUT_OF_RANGE" }).state, "missing");
  assert.equal(refused({ code: "WAGER_OUT_OF_RANGE" }, "/rounds/{id}/steps"), null); // actions are no bets
  assert.deepEqual([refused({ code: "WAGER_OUT_OF_RANGE", receipt: {} }).state, refused({ code: "WAGER_OUT_OF_RANGE", receipt: {} }).of], ["new", "refusal"]);
  assert.equal(refused("<html>"), null);
  assert.deepEqual([surplus(5000), surplus(5003)], [0, 3]);
});

/** A refusal that is signed, of a dice bet. */
function refusal(changes = {}, asked = { gameType: "dice", token: "t", wager: 500, expectedServerSeedHash: "c", expectedNonce: 3 }) {
  const body = JSON.stringify(Object.fromEntries(Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1))));
  const order = createHash("sha256").update(`casino order 1\nroute: /play\nkey: k1\nbody: ${body}\n`).digest("hex");
  const stated = {
    purpose: "refusal", ledger: "l", epoch: 1, time: 1000, slot: "unknown", wallet: WALLET, order, game: "dice", wager: 500, token: "t", "server-seed-hash": "c", nonce: 3,
    code: "WAGER_OUT_OF_RANGE", reason: "none", "min-wager": 1, "max-wager": 400, "max-payout": 10000, room: 10000, "could-pay": 990, balance: 700, "open-rounds": 0, ...changes,
  };
  const statement = `casino statement 1\n${Object.entries(stated).map(([name, value]) => `${name}: ${value}\n`).join("")}`;
  const receipt = { statement, kid: "k", signature: sign(null, Buffer.from(statement), privateKey).toString("base64") };
  return keep(answerOf("/play", asked, { code: "WAGER_OUT_OF_RANGE", details: {}, receipt }, { ok: false, key: "k1" }));
}

test("signed refusals are of the bet, at its nonce, and by figures that refuse it", async () => {
  assert.deepEqual((await checked(refusal())).state, "right");
  for (const [changes, want] of [
    [{ "max-wager": 500 }, /the stated figures allow the bet/], [{ nonce: 4 }, /the nonce 4/], [{ wallet: "w" }, /wallet/], [{ order: "o" }, /order/], [{ time: 1_000_000 }, /1000000/],
  ]) assert.match(await fault(refusal(changes)), new RegExp(`^refusal: .*${want.source}`));
  const kept = refusal();
  assert.match(await fault({ ...kept, text: kept.text.replace("room: 10000", "room: 20000") }), /not signed by the key/);
  assert.equal(JSON.parse(refusalLines([kept])).answered.code, "WAGER_OUT_OF_RANGE");
  assert.deepEqual(evidenceOf({ ...kept, fault: "refusal: x" }).map(({ name }) => name), ["refusal.jsonl"]);
});

const CRASH_BET = { id: "b", chain: "c", round: 7, token: "t", wager: 100, cashOut: 2, createdAt: 5 };

/** The answer to a bet on the shared crash, or its cash-out, with a receipt that holds. */
function placed(changes = {}, asked = { token: "t", wager: 100, cashOut: 2 }, path = "/crash/bets") {
  const bet = { ...CRASH_BET, ...changes };
  const actions = bet.cashedOut === undefined ? "[]" : `[{type: "cashOut", received: ${bet.receivedAt}999, multiplier: ${bet.cashedOut.toFixed(2)}}]`;
  const fields = [["token", bet.token], ["wager", String(bet.wager)], ["chain", bet.chain], ["number", String(bet.round)], ["actions", actions], ["maxMultiplierNum", String(bet.cashOut)], ["maxMultiplierDen", "1"], ["openedAt", "5999"]];
  const { receipt } = receiptOf({ kind: "round.open", was: "", fields: [...Array(9).fill(""), actions, "", "", String(bet.cashOut), "1", "", "5999", ""] }, bet.id, fields);
  return keep(answerOf(path, asked, { bet, receipt }));
}

test("a bet on the shared crash is what was asked for, and in the history what was answered", async () => {
  const round = { id: "b", rules: "crash/2", token: "t", wager: 100, config: { cashOut: 2, chain: "c", round: 7 }, actions: [{ type: "cashOut", multiplier: 1.5 }] };
  const shown = (kept, changes) => compareShown(kept, JSON.stringify({ ...round, ...changes })).fault;
  const bet = await checked(placed());
  assert.deepEqual([bet.id, bet.state, bet.fault], ["b", "right", null]);
  assert.match(await fault(placed({ wager: 101 })), /^asked: wager/);
  assert.match(await fault(placed({ cashOut: 3 })), /^asked: cashOut/);
  assert.equal(await fault(placed({ cashOut: 3 }, { token: "t", wager: 100 })), null); // none was chosen
  const out = await checked(placed({ cashedOut: 1.5, receivedAt: 9 }, { bet: "b" }, "/crash/cashout"));
  assert.equal(out.fault, null);
  assert.match(await fault(placed({ cashedOut: 1.5, receivedAt: 9 }, { bet: "another" }, "/crash/cashout")), /^asked: id/);
  assert.deepEqual([shown(bet, {}), shown(out, {})], [null, null]);
  assert.match(await fault({ ...out, text: out.text.replace('"receivedAt":9', '"receivedAt":8') }), /bet.receivedAt is not what the leaf has/);
  assert.match(shown(bet, { wager: 1 }), /another wager$/);
  assert.match(shown(bet, { config: { ...round.config, round: 8 } }), /another round$/);
  assert.match(shown(out, { actions: [{ type: "cashOut", multiplier: 1.4 }] }), /another cashedOut$/);
  assert.match(shown(out, { actions: [] }), /another cashedOut$/);
  assert.equal(compareShown(bet, null).state, "right"); // it isn't settled yet
  assert.equal(sealOf([bet]), "right");
  assert.equal(keep(answerOf("/crash/bets", {}, { bet: CRASH_BET })).state, "missing");
});

test("seals, by what is kept of a round", () => {
  const end = (state) => ({ settled: true, state, path: "/play" });
  assert.equal(sealOf([]), null);
  assert.equal(sealOf([{ settled: false, state: "right", path: "/rounds" }]), null);
  assert.equal(sealOf([{ settled: false, state: "wrong", path: "/rounds" }, end("right")]), "wrong");
  assert.equal(sealOf([end("missing")]), "missing");
  assert.equal(sealOf([end("missing"), end("right")]), "right"); // a repeated answer had its receipt
  assert.deepEqual([sealOf([end("new")]), sealOf([end("signed")])], ["waiting", "waiting"]);
});

test("the file of receipts has an answer a line, without those that have none", () => {
  const kept = [rotation().kept, keep(answerOf("/play", {}, { round: { id: "r" } })), refusal()];
  const lines = receiptLines(kept).trim().split("\n");
  assert.equal(lines.length, 1);
  assert.ok(JSON.parse(lines[0]).receipt);
});

test("keys that were seen stay the trusted ones", () => {
  const other = shownKey("k", generateKeyPairSync("ed25519").publicKey);
  assert.deepEqual(compareKeys(seen, [shownKey("k")], 9), { added: [], changed: [] });
  assert.deepEqual(compareKeys(seen, [other], 9), { added: [], changed: ["k"] });
  assert.deepEqual(compareKeys(seen, [], 9).changed, ["k"]);
  assert.deepEqual(compareKeys(seen, [shownKey("new"), shownKey("k")], 9).added.map(({ kid, first }) => [kid, first]), [["new", 9]]);
  assert.deepEqual(compareKeys([], [{ ...shownKey("c"), use: "checkpoints" }], 9).added, []);
});
