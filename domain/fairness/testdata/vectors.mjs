// Makes vectors.json: draws and commitments by an implementation that shares
// nothing with the Go one. Run it in this folder: node vectors.mjs > vectors.json
import { createHash, createHmac } from "node:crypto";

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");

// Draws as the field's verifiers make them: a stream of bytes, four at a time.
function* bytes(serverSeed, clientSeed, nonce) {
  for (let cursor = 0; ; cursor++) {
    yield* createHmac("sha256", serverSeed).update(`${clientSeed}:${nonce}:${cursor}`).digest();
  }
}

function draws(serverSeed, clientSeed, nonce, count) {
  const source = bytes(serverSeed, clientSeed, nonce);
  const result = [];
  while (result.length < count) {
    let k = 0;
    for (let i = 0; i < 4; i++) k = k * 256 + source.next().value;
    result.push(k);
  }
  return result;
}

const serverSeeds = [
  sha256("a seed of the usual form"),
  sha256("another one"),
  sha256("half the length").slice(0, 32),
  "x",
  sha256("longer than a block of the hash") + "0",
];
const clientSeeds = ["bb62964774", "a", "5:5:5", " ~!\"", "q".repeat(64)];
const nonces = ["0", "1", "9007199254740993", "9223372036854775807"];

const rounds = [];
for (const serverSeed of serverSeeds) {
  for (const clientSeed of clientSeeds) {
    for (const nonce of nonces) {
      rounds.push({
        serverSeed, commitment: sha256(serverSeed), clientSeed, nonce,
        draws: draws(serverSeed, clientSeed, nonce, 20),
      });
    }
  }
}
console.log("[\n" + rounds.map((round) => JSON.stringify(round)).join(",\n") + "\n]");
