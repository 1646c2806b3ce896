// Makes vectors.json: a chain, points, the table of multipliers and the ends of rounds by an
// implementation that shares nothing with the Go one. Run it in this folder:
// node vectors.mjs > vectors.json
import { createHash, createHmac } from "node:crypto";

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");

// The table, with 256 bits instead of 64 and its growth from the exponential series.
const bits = 256n;
let growth = 0n;
for (let term = 1n << bits, n = 1n; term > 0n; n++) {
  growth += term;
  term = (term * 6n) / (100000n * n);
}
const table = [];
for (let x = 100n << bits; ; x = (x * growth) >> bits) {
  const hundredths = Number(x >> bits);
  table.push(Math.min(hundredths, 100000000));
  if (hundredths >= 100000000) break;
}

const length = 1000;
const hashes = [sha256("a seed for vectors")];
while (hashes.length <= length) hashes.unshift(sha256(hashes[0]));

const cap = 1000000;
const rounds = [];
for (let round = 1; round <= length; round += round < 20 ? 1 : 49) {
  const salt = `solana:${300000000 + 90 * round}:${"1".repeat(31)}${"23456789ABCDEFGH"[round % 16]}`;
  const k = createHmac("sha256", hashes[round]).update(salt).digest().readUInt32BE(0);
  const exact = (99n << 32n) / (BigInt(k) + 1n);
  const point = exact > 100n ? exact : 100n;
  const end = table.findIndex((m) => m >= cap || BigInt(m) > point);
  rounds.push({ round, hash: hashes[round], salt, point: Number(point), end });
}
console.log("{" + [
  `"seed": "${hashes[length]}", "length": ${length}, "terminal": "${hashes[0]}"`,
  `"milliseconds": ${table.length}, "table": "${sha256(table.map((m) => m + "\n").join(""))}"`,
  `"cap": ${cap}, "rounds": [\n${rounds.map((r) => JSON.stringify(r)).join(",\n")}\n]`,
].join(",\n") + "}");
