import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { games, parse, Unverifiable, verify } from "../dist/index.js";
import { round, rounds } from "./rounds.mjs";

const dice = round("dice/1");
const dist = new URL("../dist/", import.meta.url);
const cli = fileURLToPath(new URL("cli.js", dist));

test("every round of the page is verified", () => {
  assert.ok(rounds.length >= 15);
  for (const text of rounds) assert.deepEqual(verify(text), { verified: true, differences: [], void: false }, text);
  for (const rules of games.keys()) assert.ok(round(rules), `the page has no round of ${rules}`);
});

test("a round is taken as text, as parse reads it, and as the endpoint wraps it", () => {
  assert.ok(verify(parse(dice)).verified);
  assert.ok(verify(`{"round": ${dice}}`).verified);
  assert.throws(() => verify(JSON.parse(dice)), /read the round with parse/);
});

test("what differs is named, with both values", () => {
  for (const [from, to, names] of [
    ["54.78", "54.79", "outcome"], ["54.78}", '54.78,"more":1}', "outcome"], ["54.78", '"54.78"', "outcome"], [": 1.98", ": 1.99", "multiplier"], [": 1.98", ': "1.98"', "multiplier"],
    ["19800", "19801", "payout"], ["10000", "10001", "payout"], ["43f4", "43F4", "serverSeedHash"], ['"over"', '"under"', "multiplier,payout"], ["50.00", "54.78", "multiplier,payout"],
    ['"nonce": 3', '"nonce": 4', "outcome"], ["my seed", "my  seed", "outcome"], ["4f0c", "4f0d", "serverSeedHash,outcome"],
  ]) {
    assert.ok(dice.includes(from));
    const { verified, differences } = verify(dice.replace(from, to));
    assert.equal(verified, false, to);
    assert.equal(differences.map(({ name }) => name).join(), names, to);
  }
  assert.deepEqual(verify(dice.replace("19800", "19801")).differences, [{ name: "payout", said: "19801", is: "19800" }]);
});

test("a round that says the same in other digits is verified", () => {
  for (const [from, to] of [["50.00", "50"], ["54.78", "54.7800"], [": 1.98", ": 1.980"], ['"nonce": 3', '"more": 1e400, "nonce": 3'], ['"target":50.00,', ""]]) {
    assert.ok(verify(dice.replace(from, to)).verified, to);
  }
});

test("a void round returned the stake", () => {
  const nothing = dice.replace('{"roll":54.78}', "null").replace(": 1.98", ": 1").replace("19800", "10000");
  assert.deepEqual(verify(nothing), { verified: true, differences: [], void: true });
  for (const [from, to, name] of [[": 1,", ": 1.98,", "multiplier"], ["payout\": 10000", "payout\": 9999", "payout"], ["43f4", "43f5", "serverSeedHash"]]) {
    assert.deepEqual(verify(nothing.replace(from, to)).differences.map((one) => one.name), [name]);
  }
});

test("what can't be verified says why", () => {
  for (const [from, to, reason] of [
    [/"serverSeed": "\w+"/, '"serverSeed": null', "not revealed"], [/"serverSeed": "\w+",/, "", "not revealed"], ['"gameType"', '"provider": "acme", "gameType"', "a provider's"],
    ["dice/1", "dice/9", "unknown rules"], ['"gameType": "dice"', '"gameType": "limbo"', "unknown rules"], ["50.00", "1.00", "config"], ['"nonce": 3', '"nonce": 3.0', "malformed"],
    ['"nonce": 3', '"nonce": -1', "malformed"], ['"nonce": 3', '"nonce": 9223372036854775808', "malformed"], ["19800", "19800.0", "malformed"], ["19800", '"19800"', "malformed"],
    ["my seed", "", "malformed"], ["my seed", "mÿ", "malformed"], ["my seed", "a".repeat(65), "malformed"], ['"wager": 10000, ', "", "malformed"], [/"outcome".*\n/, "", "malformed"],
    [/"serverSeedHash": "\w+"/, '"serverSeedHash": null', "malformed"], ['"nonce": 3', '"nonce": 3, "nonce": 3', "malformed"], [/[^]*/, "[]", "malformed"], [/[^]*/, "", "malformed"],
  ]) {
    const text = dice.replace(from, to);
    assert.notEqual(text, dice, String(from));
    assert.throws(() => verify(text), (error) => error instanceof Unverifiable && error.reason === reason, to || String(from));
  }
});

function command(input, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { input, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the command says what became of a round, and exits with it", () => {
  assert.deepEqual(command(dice, "-"), { status: 0, stdout: "verified: commitment, outcome, multiplier and payout are what the seeds decide\n", stderr: "" });
  const differs = command(dice.replace("19800", "19801"), "-");
  assert.equal(differs.status, 1);
  assert.match(differs.stdout, /^payout: the round says 19801, its seeds decide 19800$/m);
  assert.equal(command(dice.replace("dice/1", "dice/9"), "-").status, 2);
  assert.equal(command("", "/no/such/file").status, 2);
  assert.equal(command("").status, 2);
  const nothing = dice.replace('{"roll":54.78}', "null").replace(": 1.98", ": 1").replace("19800", "10000");
  const voided = command(nothing, "-");
  assert.equal(voided.status, 1);
  assert.match(voided.stdout, /void.*a multiplier of 1.98, which would have paid 19800/);
  assert.equal(voided.stderr, "the round is void\n");
  for (const source of ["server", "repeated"]) {
    const said = command(dice.replace('"nonce": 3', `"nonce": 3, "clientSeedSource": "${source}"`), "-");
    assert.equal(said.status, 0);
    assert.match(said.stdout, new RegExp(`clientSeedSource ${source}.*proves nothing against the house`));
  }
});

test("--lines answers each line", () => {
  const nothing = dice.replace('{"roll":54.78}', "null").replace(": 1.98", ": 1").replace("19800", "10000");
  const lines = [dice, dice.replace("19800", "1"), "nonsense", "", nothing].map((text) => text.replaceAll("\n", ""));
  const { status, stdout } = command(lines.join("\n") + "\n" + lines[0], "--lines");
  const said = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(status, 0);
  assert.deepEqual(said[0], { verified: true, differs: [] });
  assert.deepEqual(said[1], { verified: false, differs: ["payout"] });
  assert.match(said[2].error, /no round/);
  assert.match(said[3].error, /no round/);
  assert.deepEqual({ ...said[4], notes: said[4].notes.length }, { verified: false, differs: [], void: true, notes: 1 });
  assert.deepEqual(said[5], { verified: true, differs: [] });
  assert.equal(said.length, 6);
});

test("a page needs nothing of Node.js and of the network, and of WebCrypto for signatures alone", () => {
  const files = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".js") && name !== "cli.js");
  assert.ok(files.length >= 12);
  for (const name of files) {
    const code = readFileSync(new URL(name, dist), "utf8").replace(/\/\/.*|\/\*[^]*?\*\//g, "");
    assert.doesNotMatch(code, /node:|process\.|require\(|fetch\(|import\(|window\.|document\./, name);
    if (name !== "signatures.js") assert.doesNotMatch(code, /crypto\??\.|TextEncoder|globalThis/, name);
    if (name !== "selection.js") assert.doesNotMatch(code, /Math\.|parseFloat/, `${name} computes with doubles`);
  }
});
