// Runs the story on Node.js: node node.mjs LINE KEYPAIR-FILE SERVICE NAME, with both packages
// installed beside it.
import { createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import * as client from "@casino-service/client";
import { verify } from "@casino-service/verify";
import { story } from "./story.mjs";

const [line, keypair, service, name, wallet] = process.argv.slice(2);
const secret = Buffer.from(JSON.parse(readFileSync(keypair, "utf8"))).subarray(0, 32);
const key = createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), secret]), format: "der", type: "pkcs8" });
const demo = new client.Casino(service);

console.log(JSON.stringify(await story({
  ...client, verify, line, wallet,
  sign: (message) => sign(null, message, key),
  pay: async (transaction) => (await demo.call("POST /dev/wallets/{name}/send")({ path: { name }, body: { transaction } })).signature,
})));
