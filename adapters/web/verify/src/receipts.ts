// Verifies receipts, as docs/fairness/receipts.md says. Signatures need WebCrypto with Ed25519.

import { Decimal } from "./decimal.js";
import { isObject, members, parse, type Json } from "./json.js";
import { HASH_BYTES, rootOf } from "./merkle.js";
import { hex, sha256 } from "./sha256.js";
import { base64, base64OfAny, integerOf, isSigned, joined, MAX, SIGNATURE_BYTES, utf8, type ReceiptKeys } from "./signatures.js";

type Members = { [name: string]: Json };

/** Why a receipt does not verify, in plain words. */
export class ReceiptFault extends Error {}

/** The header of a block whose signature was verified. */
export interface SignedHead {
  ledger: string;
  lane: bigint;
  seq: bigint;
  header: string;
  previous: string;
}

export interface ReceiptVerdict {
  /** Why it does not verify; null if it does. */
  fault: string | null;
  /** The block, if its signature is good. */
  head: SignedHead | null;
  /** The answer, if it could be read. */
  answer: Members | null;
}

export interface ReceiptReport {
  receipts: number;
  verified: number;
  /** What is wrong, in plain words. */
  findings: string[];
}

const WHOLE = "(0|[1-9][0-9]{0,18})";
const HASH = "([0-9a-f]{64})";
const TEXT = new RegExp(`^casino receipt 1\nledger: ([^\n]+)\n(casino block 3\nlane: ${WHOLE}\nseq: ${WHOLE}\nepoch: ${WHOLE}\nprevious: ${HASH}\ntime: ${WHOLE}\nroot: ${HASH}\nsize: ${WHOLE}\n)$`);
const RATIO = new RegExp(`^${WHOLE}/${WHOLE}$`);
const SOURCES = ["server", "player", "repeated"];

function text(of: Members, name: string, where: string): string {
  const value = of[name];
  if (typeof value !== "string") throw new ReceiptFault(`malformed: ${where}.${name}`);
  return value;
}

function integer(of: Members, name: string, where: string): bigint {
  const value = integerOf(of[name]);
  if (value === null) throw new ReceiptFault(`malformed: ${where}.${name}`);
  return value;
}

/** The canonical encoding of a leaf. */
class Encoding {
  private readonly parts: Uint8Array[] = [];

  integers(...values: bigint[]): this {
    for (const value of values) {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setBigInt64(0, value);
      this.parts.push(bytes);
    }
    return this;
  }

  texts(...values: string[]): this {
    for (const value of values) {
      const bytes = utf8(value);
      this.integers(BigInt(bytes.length));
      this.parts.push(bytes);
    }
    return this;
  }

  value(value: Json | undefined): this {
    if (value === null || value === undefined) return this.integers(0n);
    if (typeof value === "boolean") return this.integers(1n, value ? 1n : 0n);
    if (value instanceof Decimal) return this.integers(2n).texts(value.text);
    if (typeof value === "string") return this.integers(3n).texts(value);
    if (Array.isArray(value)) {
      this.integers(4n, BigInt(value.length));
      for (const item of value) this.value(item);
      return this;
    }
    const names = members(value);
    this.integers(5n, BigInt(names.length));
    for (const name of names) this.texts(name).value(value[name]);
    return this;
  }

  bytes(): Uint8Array {
    return joined(...this.parts);
  }
}

function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  const [mine, other] = [new Encoding().value(a).bytes(), new Encoding().value(b).bytes()];
  return mine.length === other.length && mine.every((byte, i) => byte === other[i]);
}

interface Leaf {
  bytes: Uint8Array;
  /** The member of the answer that the leaf contradicts although its hash doesn't cover it. */
  differs: string | null;
}

function roundLeaf(answer: Members, leaf: Members, wallet: string): Leaf {
  const round = answer["round"];
  if (!isObject(round)) throw new ReceiptFault("malformed: no round");
  const texts = ["id", "gameType", "rules", "token", "serverSeedHash", "clientSeed", "clientSeedSource"].map((name) => text(round, name, "round"));
  const [id, gameType, rules, token, commitment, clientSeed, source] = texts as [string, string, string, string, string, string, string];
  const [wager, payout, nonce, createdAt] = ["wager", "payout", "nonce", "createdAt"].map((name) => integer(round, name, "round")) as [bigint, bigint, bigint, bigint];
  if (!SOURCES.includes(source)) throw new ReceiptFault("malformed: round.clientSeedSource");
  const agent = text(leaf, "agentCode", "leaf");
  const pair = text(leaf, "pairId", "leaf");
  const ratio = ratioOf(leaf["multiplier"]);
  if (ratio === null) throw new ReceiptFault("malformed: leaf.multiplier");
  const balance = integer(leaf, "balance", "leaf");
  const time = integer(leaf, "time", "leaf");
  for (const name of ["config", "outcome"]) {
    if (!Object.hasOwn(round, name)) throw new ReceiptFault(`malformed: round.${name}`);
  }
  const bytes = new Encoding()
    .texts("round", id, wallet, agent, gameType, rules, token)
    .integers(wager, payout, ...ratio)
    .value(round["config"]).value(round["outcome"])
    .integers(round["outcome"] === null ? 1n : 0n)
    .texts(pair, commitment, clientSeed)
    .integers(BigInt(SOURCES.indexOf(source)), nonce, balance, time)
    .value(round["actions"])
    .bytes();
  const millis = (time - (((time % 1000n) + 1000n) % 1000n)) / 1000n;
  const differs = !isRatio(round["multiplier"], ...ratio) ? "round.multiplier" : createdAt !== millis ? "round.createdAt" : null;
  return { bytes, differs };
}

/** Whether a number is a fraction, cut to a billionth. */
function isRatio(shown: Json | undefined, numerator: bigint, denominator: bigint): boolean {
  if (!(shown instanceof Decimal) || shown.units === null || !/^[0-9]{1,30}(\.[0-9]{1,30})?$/.test(shown.text)) return false;
  const scale = 10n ** BigInt(shown.scale);
  const distance = shown.units * denominator - numerator * scale;
  return (distance < 0n ? -distance : distance) * 1_000_000_000n <= denominator * scale;
}

/** Where a field's value is: among the leaf's own ones, or in a member of the thing. A "known" one is an
 * integer, or null while it isn't known; a "count" is an integer that is there when it is 0 too. */
type Form = "own" | "text" | "integer" | "count" | "known" | "value";

/** The thing in an answer that an event proves, and the event's fields in their order, with the members that have them. */
interface Proved {
  thing: string;
  fields: [form: Form, field: string, member?: string][];
}

const EVENTS: { [kind: string]: Proved } = {
  "round.open": {
    thing: "round",
    fields: [
      ["own", "agent"], ["text", "game", "gameType"], ["text", "rules"], ["text", "token"], ["integer", "wager"], ["integer", "stake"],
      ["value", "config"], ["value", "asked"], ["integer", "maxPayout"], ["own", "pair"], ["text", "commitment", "serverSeedHash"],
      ["text", "clientSeed"], ["text", "clientSource", "clientSeedSource"], ["count", "nonce"], ["value", "actions"], ["value", "shown"],
      ["value", "choices"], ["own", "maxMultiplierNum"], ["own", "maxMultiplierDen"], ["own", "exposure"], ["own", "openedAt"], ["own", "touchedAt"],
    ],
  },
  withdrawal: {
    thing: "withdrawal",
    fields: [
      ["text", "token"], ["integer", "amount"], ["integer", "fee"], ["text", "destination"], ["own", "status"], ["own", "createdAt"], ["own", "updatedAt"],
    ],
  },
  deposit: {
    thing: "transaction",
    fields: [
      ["text", "token"], ["text", "signature"], ["own", "status"], ["known", "amount"], ["own", "reason"], ["own", "createdAt"], ["own", "updatedAt"],
    ],
  },
  pair: {
    thing: "seed",
    fields: [
      ["own", "state"], ["text", "commitment", "serverSeedHash"], ["text", "clientSeed"], ["text", "clientSource", "clientSeedSource"],
      ["own", "next"], ["own", "epoch"], ["own", "revealed"], ["own", "rounds"], ["own", "since"],
    ],
  },
};

/** The event of a bet on the shared crash. */
const CRASH_BET: Proved = {
  thing: "bet",
  fields: [
    ["own", "agent"], ["own", "game"], ["own", "rules"], ["text", "token"], ["integer", "wager"], ["own", "stake"], ["own", "config"],
    ["own", "asked"], ["own", "maxPayout"], ["own", "clientSource"], ["own", "nonce"], ["text", "chain"], ["integer", "number", "round"],
    ["own", "actions"], ["own", "shown"], ["own", "choices"], ["own", "maxMultiplierNum"], ["own", "maxMultiplierDen"], ["own", "exposure"],
    ["own", "openedAt"], ["own", "touchedAt"],
  ],
};

function eventLeaf(answer: Members, leaf: Members, kind: string, wallet: string): Leaf {
  const { thing: name, fields } = kind === "round.open" && isObject(answer["bet"]) ? CRASH_BET : EVENTS[kind]!;
  const was = text(leaf, "was", "leaf");
  if (kind === "withdrawal" && was !== "") throw new ReceiptFault("malformed: leaf.was");
  const list = leaf["fields"];
  const isTexts = (value: Json | undefined): value is string[] => Array.isArray(value) && value.every((item) => typeof item === "string");
  if (!isTexts(list) || list.length !== fields.filter(([form]) => form === "own").length) throw new ReceiptFault("malformed: leaf.fields");
  const own = [...list];
  const thing = answer[name];
  if (!isObject(thing)) throw new ReceiptFault(`malformed: no ${name}`);
  const id = kind === "pair" ? text(leaf, "id", "leaf") : text(thing, "id", name);
  const values = new Map<string, string>();
  for (const [form, field, shown = field] of fields) {
    const value = form === "own" ? own.shift()! : fieldValue(form, thing, shown, name);
    if (value !== "") values.set(field, value);
  }
  const encoding = new Encoding().texts("event", kind, id, wallet, was).integers(BigInt(values.size));
  for (const [field, value] of values) encoding.texts(field, value);
  const ratio = ratioOf(`${values.get("maxMultiplierNum")}/${values.get("maxMultiplierDen")}`);
  const most = name === "bet" ? "cashOut" : "maxMultiplier";
  const differs = kind === "round.open" && (ratio === null || !isRatio(thing[most], ...ratio));
  return { bytes: encoding.bytes(), differs: differs ? `${name}.${most}` : name === "bet" ? betDiffers(thing, values) : null };
}

const CASH_OUT = /^\[\{type: "cashOut", received: ([0-9]{4,19}), multiplier: ([0-9]{1,9})\.([0-9]{2})\}\]$/;

/** The member of a bet on the shared crash that its leaf has otherwise, null if there is none. */
function betDiffers(bet: Members, leaf: Map<string, string>): string | null {
  const actions = leaf.get("actions") ?? "";
  const out = CASH_OUT.exec(actions);
  const { cashedOut = null, receivedAt = null, createdAt = null } = bet;
  const isMoment = (shown: Json, micros: string) => shown !== null && integerOf(shown) === integerOf(micros.slice(0, -3));
  if (out === null ? actions !== "[]" || cashedOut !== null : !isRatio(cashedOut, BigInt(out[2]! + out[3]!), 100n)) return "bet.cashedOut";
  if (out === null ? receivedAt !== null : !isMoment(receivedAt, out[1]!)) return "bet.receivedAt";
  return isMoment(createdAt, leaf.get("openedAt") ?? "") ? null : "bet.createdAt";
}

/** A member of a thing as the fields of events have it, an empty text for a field that is left out. */
function fieldValue(form: Form, thing: Members, name: string, where: string): string {
  if (form === "text") return text(thing, name, where);
  if (form === "value") return written(thing[name]);
  if (form === "known" && (thing[name] ?? null) === null) return "";
  const whole = integer(thing, name, where);
  return whole === 0n && form !== "count" ? "" : String(whole);
}

/** The numbers of a fraction such as "99/50", null for another value. */
function ratioOf(value: Json | undefined): [bigint, bigint] | null {
  const found = typeof value === "string" ? RATIO.exec(value) : null;
  const [numerator, denominator] = found === null ? [0n, 0n] : [BigInt(found[1]!), BigInt(found[2]!)];
  return denominator === 0n || numerator > MAX || denominator > MAX ? null : [numerator, denominator];
}

/** A value as the fields of events have it. */
function written(value: Json | undefined): string {
  if (value === null || value === undefined) return "absent";
  if (value instanceof Decimal) return value.text;
  if (typeof value === "string") return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "boolean") return String(value);
  return `{${members(value).map((name) => `${name}: ${written(value[name])}`).join(", ")}}`;
}

/** The hashes of an audit path, null for another value. */
function pathOf(value: Json | undefined): Uint8Array[] | null {
  const bytes = base64OfAny(value);
  if (bytes === null || bytes.length % HASH_BYTES !== 0) return null;
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES));
}

function readAnswer(line: string): Members {
  let answer: Json;
  try {
    answer = parse(line);
  } catch {
    throw new ReceiptFault("malformed: no JSON");
  }
  if (!isObject(answer)) throw new ReceiptFault("malformed: no JSON");
  return answer;
}

/** Verifies one answer with its receipt: a JSON text, or the result of parse. Fails with NoEd25519 where signatures can't be verified. */
export async function verifyReceipt(line: string | Members, keys: ReceiptKeys, wallet: string): Promise<ReceiptVerdict> {
  const verdict: ReceiptVerdict = { fault: null, head: null, answer: null };
  try {
    verdict.answer = typeof line === "string" ? readAnswer(line) : line;
    await prove(verdict.answer, keys, wallet, verdict);
  } catch (fault) {
    if (!(fault instanceof ReceiptFault)) throw fault;
    verdict.fault = fault.message;
  }
  return verdict;
}

async function prove(answer: Members, keys: ReceiptKeys, wallet: string, verdict: ReceiptVerdict): Promise<void> {
  const receipt = answer["receipt"];
  if (!isObject(receipt)) throw new ReceiptFault("malformed: no receipt");
  const message = text(receipt, "text", "receipt");
  const kid = text(receipt, "kid", "receipt");
  const signature = base64(receipt["signature"], SIGNATURE_BYTES);
  if (signature === null) throw new ReceiptFault("malformed: receipt.signature");
  const index = integerOf(receipt["index"]);
  if (index === null || index < 0n) throw new ReceiptFault("malformed: receipt.index");
  const path = pathOf(receipt["path"]);
  if (path === null) throw new ReceiptFault("malformed: receipt.path");
  const leaf = receipt["leaf"];
  if (!isObject(leaf)) throw new ReceiptFault("malformed: receipt.leaf");
  if (!keys.has(kid)) throw new ReceiptFault("key: no key for receipts has its name");
  if (!(await isSigned(keys, kid, message, signature))) throw new ReceiptFault("signature: the text is not signed by the key");
  const found = TEXT.exec(message);
  if (found === null || [3, 4, 5, 7, 9].some((i) => BigInt(found[i]!) > MAX)) throw new ReceiptFault("text: it is not the signed text of a block");
  verdict.head = { ledger: found[1]!, header: found[2]!, lane: BigInt(found[3]!), seq: BigInt(found[4]!), previous: found[6]! };
  const kind = text(leaf, "kind", "leaf");
  if (kind !== "round" && !Object.hasOwn(EVENTS, kind)) throw new ReceiptFault("malformed: leaf.kind");
  const { bytes, differs } = kind === "round" ? roundLeaf(answer, leaf, wallet) : eventLeaf(answer, leaf, kind, wallet);
  if (rootOf(bytes, index, BigInt(found[9]!), path) !== found[8]) throw new ReceiptFault("path: the block does not have what the answer says");
  if (differs !== null) throw new ReceiptFault(`answer: ${differs} is not what the leaf has`);
}

/** Two signed blocks that contradict each other, by their places in a list, and how. */
export interface Contradiction {
  first: number;
  second: number;
  what: string;
}

/** Finds two headers of one block, and blocks that don't follow the one before. */
export function contradictions(heads: (SignedHead | null)[]): Contradiction[] {
  const first = new Map<string, number>();
  const found: Contradiction[] = [];
  const at = (head: SignedHead, back: bigint) => `${head.lane} ${head.seq - back} ${head.ledger}`;
  heads.forEach((head, i) => {
    if (head === null) return;
    const before = first.get(at(head, 0n));
    if (before === undefined) first.set(at(head, 0n), i);
    else if (heads[before]!.header !== head.header) found.push({ first: before, second: i, what: `they have different blocks for lane ${head.lane}, seq ${head.seq}` });
  });
  heads.forEach((head, i) => {
    const before = head === null ? undefined : first.get(at(head, 1n));
    if (head === null || before === undefined || hex(sha256(utf8(heads[before]!.header))) === head.previous) return;
    found.push({ first: before, second: i, what: `the block of lane ${head.lane}, seq ${head.seq} does not follow the other` });
  });
  return found;
}

const COMPARED = [
  "gameType", "rules", "token", "wager", "payout", "multiplier", "config", "outcome", "actions", "serverSeedHash", "clientSeed",
  "clientSeedSource", "nonce", "createdAt",
];

/** The members in which two showings of a settled round differ. */
export function differencesOf(mine: Members, other: Members): string[] {
  return COMPARED.flatMap((name) => {
    if (name === "outcome" && ((mine[name] ?? null) === null) !== ((other[name] ?? null) === null)) return ["void"];
    const whole = integerOf(mine[name]);
    return (whole !== null && whole === integerOf(other[name])) || sameValue(mine[name], other[name]) ? [] : [name];
  });
}

function roundsIn(answer: Members): Members[] {
  if (Array.isArray(answer["rounds"])) return answer["rounds"].filter(isObject);
  return [isObject(answer["round"]) ? answer["round"] : answer];
}

/** The JSON texts of a file: one, or one a line. */
function textsOf(file: string): string[] {
  try {
    readAnswer(file);
    return [file];
  } catch {
    return file.split("\n").filter((line) => line.trim() !== "");
  }
}

/** The answer of a receipt that verifies, and its block. */
export interface Verified {
  number: number;
  answer: Members;
  head: SignedHead;
}

/** Verifies receipts of a wallet: one JSON text, or one a line. With a history (answers of
 * GET /history or GET /history/{id}) it compares their rounds. More checks of those that verify
 * return findings. */
export async function checkReceipts(
  file: string, keys: ReceiptKeys, wallet: string, history?: string, ...more: ((verified: Verified[]) => Promise<string[]>)[]
): Promise<ReceiptReport> {
  const verdicts: ReceiptVerdict[] = [];
  for (const line of textsOf(file)) verdicts.push(await verifyReceipt(line, keys, wallet));
  const findings = verdicts.flatMap(({ fault }, i) => (fault === null ? [] : [`receipt ${i + 1}: ${fault}`]));
  for (const { first, second, what } of contradictions(verdicts.map(({ head }) => head))) {
    findings.push(`receipts ${first + 1} and ${second + 1}: two histories: ${what}`);
  }
  const verified = verdicts.flatMap(({ fault, answer, head }, i) => (fault === null ? [{ number: i + 1, answer: answer!, head: head! }] : []));
  for (const check of more) findings.push(...(await check(verified)));
  if (history !== undefined) {
    const shown = new Map(textsOf(history).flatMap((line) => roundsIn(readAnswer(line))).map((round) => [round["id"], round]));
    verdicts.forEach(({ fault, answer }, i) => {
      const round = answer?.["round"];
      const leaf = isObject(answer?.["receipt"]) ? answer["receipt"]["leaf"] : null;
      if (fault !== null || !isObject(round) || !isObject(leaf) || leaf["kind"] !== "round") return;
      const other = shown.get(round["id"]);
      if (other === undefined) findings.push(`receipt ${i + 1}: history: round ${round["id"]} is missing`);
      else for (const name of differencesOf(round, other)) findings.push(`receipt ${i + 1}: history: round ${round["id"]} has another ${name}`);
    });
  }
  return { receipts: verdicts.length, verified: verified.length, findings };
}
