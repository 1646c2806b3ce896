// Verifies checkpoints of the public log, as docs/fairness/log.md says.

import { isObject, parse, type Json } from "./json.js";
import { HASH_BYTES, hashesOf, nodeHash, rootOf } from "./merkle.js";
import type { Verified } from "./receipts.js";
import { hex, sha256 } from "./sha256.js";
import { base64, integerOf, isSigned, joined, MAX, SIGNATURE_BYTES, textOf, utf8 } from "./signatures.js";

/** The verifier key of a log or of a witness. */
export interface NoteKey {
  name: string;
  algorithm: number;
  id: string;
  public: Uint8Array;
}

/** What proofs and checkpoints of the public log are checked with. */
export interface Log {
  keys: NoteKey[];
  /** One of them must have cosigned each checkpoint. */
  witnesses?: NoteKey[];
  /** Checkpoints from before, one after another. */
  checkpoints?: string;
  /** Reads a file of the published log by its path, such as checkpoint or tile/0/000; null for one that it lacks. */
  read?: (path: string) => Promise<Uint8Array | null>;
}

export interface LogReport {
  checkpoints: number;
  verified: number;
  /** What is wrong, in plain words. */
  findings: string[];
}

/** Why a proof or a checkpoint does not verify, in plain words. */
class LogFault extends Error {}

/** A checkpoint whose signatures are good, with the source that findings name. */
interface Checkpoint {
  source: string;
  origin: string;
  ledger: string;
  size: bigint;
  root: string;
}

const CHECKPOINT = /^((casino\/([^ /\u0000-\u001f]+)\/(?:0|[1-9][0-9]{0,18}))\n([1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n(?:[^\u0000-\u001f]+\n)*)\n((?:— [^ \u0000-\u001f]+ [A-Za-z0-9+/]+={0,2}\n)+)$/;
const KEY = /^([^ +\u0000-\u001f]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/;
const KEY_BYTES = 33;
const ID_BYTES = 4;
const TIME_BYTES = 8;
const LOG = 1;
const WITNESS = 4;
const PUBLISHED = "--log";

function noteKeyOf(text: Json): NoteKey | null {
  const found = typeof text === "string" ? KEY.exec(text) : null;
  const key = found === null ? null : base64(found[3], KEY_BYTES);
  if (found === null || key === null) return null;
  const id = hex(sha256(joined(utf8(`${found[1]}\n`), key)).slice(0, ID_BYTES));
  return id === found[2] ? { name: found[1]!, algorithm: key[0]!, id, public: key.slice(1) } : null;
}

/** The keys of the log in an answer of GET /public/keys, perhaps none. */
export function readLogKeys(text: string): NoteKey[] {
  const answer = parse(text);
  const list = isObject(answer) && Array.isArray(answer["log"]) ? answer["log"] : [];
  return list.map(noteKeyOf).filter((key) => key !== null);
}

/** Reads verifier keys of witnesses, one a line. */
export function readWitnessKeys(text: string): NoteKey[] {
  const keys = text.split("\n").map((line) => line.trim()).filter((line) => line !== "").map(noteKeyOf);
  if (keys.length === 0 || keys.some((key) => key?.algorithm !== WITNESS)) throw new Error("the witnesses' keys have none, or a line that is no verifier key of a witness");
  return keys as NoteKey[];
}

/** Whether one of a note's lines is a signature of its text by one of the keys. */
async function isSignedBy(keys: NoteKey[], text: string, lines: string[]): Promise<boolean> {
  for (const { name, algorithm, id, public: key } of keys) {
    const ahead = algorithm === WITNESS ? ID_BYTES + TIME_BYTES : ID_BYTES;
    for (const line of lines) {
      const data = line.startsWith(`— ${name} `) ? base64(line.slice(name.length + 3), ahead + SIGNATURE_BYTES) : null;
      if (data === null || hex(data.slice(0, ID_BYTES)) !== id) continue;
      const time = algorithm === WITNESS ? new DataView(data.buffer).getBigUint64(ID_BYTES) : 0n;
      const message = algorithm === WITNESS ? `cosignature/v1\ntime ${time}\n${text}` : text;
      if (await isSigned(new Map([[name, [key]]]), name, message, data.slice(ahead))) return true;
    }
  }
  return false;
}

/** Verifies the signatures of a checkpoint. */
async function open(log: Log, source: string, note: Json | undefined): Promise<Checkpoint> {
  const found = typeof note === "string" ? CHECKPOINT.exec(note) : null;
  const root = base64(found?.[5], HASH_BYTES);
  if (found === null || root === null || BigInt(found[4]!) > MAX) throw new LogFault("the checkpoint has another form");
  const [text, origin, ledger, lines] = [found[1]!, found[2]!, found[3]!, found[6]!.split("\n")];
  if (!(await isSignedBy(log.keys.filter((key) => key.algorithm === LOG && key.name === origin), text, lines))) {
    throw new LogFault("no key of the log signed the checkpoint");
  }
  if (log.witnesses !== undefined && !(await isSignedBy(log.witnesses, text, lines))) throw new LogFault("no witness cosigned the checkpoint");
  return { source, origin, ledger, size: BigInt(found[4]!), root: hex(root) };
}

/** Verifies that a checkpoint's tree has the block of a receipt. */
async function prove(log: Log, source: string, { answer, head }: Verified): Promise<Checkpoint> {
  const proof = answer["log"];
  const index = isObject(proof) ? integerOf(proof["index"]) : null;
  const path = isObject(proof) ? hashesOf(proof["path"]) : null;
  if (!isObject(proof) || index === null || index < 0n || path === null) throw new LogFault("the answer has no proof for the log");
  const opened = await open(log, source, proof["checkpoint"]);
  if (opened.ledger !== head.ledger) throw new LogFault("the checkpoint is of another ledger");
  if (rootOf(utf8(head.header), index, opened.size, path) !== opened.root) throw new LogFault("the log does not have the block");
  return opened;
}

/** The notes of a text that has one after another: each ends with its lines of signatures. */
function notesOf(text: string): string[] {
  const notes: string[] = [];
  let ended = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
    const signature = line.startsWith("— ");
    if (notes.length === 0 || (ended && !signature)) notes.push("");
    ended = signature;
    notes[notes.length - 1] += line;
  }
  return notes;
}

/** Verifies checkpoints from before, the published one, and those of receipts, and that they are of one history. */
export async function checkLog(log: Log, receipts: Verified[] = []): Promise<LogReport> {
  const asked: [source: string, verify: (source: string) => Promise<Checkpoint>][] = [];
  if (log.read !== undefined) {
    const published = await log.read("checkpoint");
    if (published === null) throw new Error("the log has no checkpoint");
    asked.push([PUBLISHED, (source) => open(log, source, textOf(published))]);
  }
  notesOf(log.checkpoints ?? "").forEach((note, i) => asked.push([`checkpoint ${i + 1}`, (source) => open(log, source, note)]));
  for (const receipt of receipts) {
    if (log.read !== undefined || isObject(receipt.answer["log"])) asked.push([`receipt ${receipt.number}`, (source) => prove(log, source, receipt)]);
  }
  const opened: Checkpoint[] = [];
  const findings: string[] = [];
  for (const [source, verify] of asked) {
    try {
      opened.push(await verify(source));
    } catch (fault) {
      if (!(fault instanceof LogFault)) throw fault;
      findings.push(`${source}: log: ${fault.message}`);
    }
  }
  findings.push(...(await compare(log, opened)));
  return { checkpoints: asked.length, verified: opened.length, findings };
}

/** Finds checkpoints that contradict each other. The published one is the first. */
async function compare(log: Log, opened: Checkpoint[]): Promise<string[]> {
  const published = opened[0]?.source === PUBLISHED ? opened[0] : null;
  const first = new Map<string, Checkpoint>();
  const findings: string[] = [];
  for (const each of opened) {
    const { source, origin, size, root } = each;
    if (published !== null && origin !== published.origin) {
      findings.push(`${source}: log: the checkpoint has another origin than the published one`);
      continue;
    }
    const same = first.get(`${size} ${origin}`);
    if (same === undefined) first.set(`${size} ${origin}`, each);
    else if (same.root !== root) findings.push(`${same.source} and ${source}: two histories: the checkpoints of ${size} entries have different roots`);
  }
  return published === null ? findings : [...findings, ...(await extended(log.read!, [...first.values()]))];
}

/** Finds checkpoints that the largest does not extend. */
async function extended(read: NonNullable<Log["read"]>, opened: Checkpoint[]): Promise<string[]> {
  const largest = opened.reduce((a, b) => (b.size > a.size ? b : a));
  const tiles = new Tiles(read, largest.size);
  const findings: string[] = [];
  for (const { source, size, root } of opened) {
    try {
      if (hex(await tiles.root(0n, largest.size, size)) !== largest.root) throw new LogFault(`the tiles do not lead to the root of ${largest.size} entries`);
      if (hex(await tiles.root(0n, size, size)) === root) continue;
    } catch (fault) {
      if (!(fault instanceof LogFault)) throw fault;
      return [...findings, `${PUBLISHED}: log: ${fault.message}`];
    }
    findings.push(`${source} and ${largest.source}: two histories: the checkpoint of ${largest.size} entries does not extend the one of ${size}`);
  }
  return findings;
}

const TILE = 256n;

/** Reads nodes of a tree from the tiles of a log. */
class Tiles {
  private readonly kept = new Map<string, Uint8Array>();

  constructor(
    private readonly read: NonNullable<Log["read"]>,
    private readonly size: bigint,
  ) {}

  /** The hash of the entries from lo up to, but without hi, by nodes that have no entries on both sides of m. */
  async root(lo: bigint, hi: bigint, m: bigint): Promise<Uint8Array> {
    const size = hi - lo;
    let [half, level] = [1n, 0];
    for (; half * 2n < size; half *= 2n) level++;
    if (size === 1n) return this.node(0, lo);
    if (size === half * 2n && !(lo < m && m < hi)) return this.node(level + 1, lo / size);
    return nodeHash(await this.root(lo, lo + half, m), await this.root(lo + half, hi, m));
  }

  private async node(level: number, i: bigint): Promise<Uint8Array> {
    const r = level % 8;
    const begin = i << BigInt(r);
    const data = await this.tile((level - r) / 8, begin / TILE);
    const at = Number(begin % TILE);
    let nodes: Uint8Array[] = Array.from({ length: 1 << r }, (_, j) => data.slice((at + j) * HASH_BYTES, (at + j + 1) * HASH_BYTES));
    while (nodes.length > 1) nodes = nodes.flatMap((left, j) => (j % 2 === 0 ? [nodeHash(left, nodes[j + 1]!)] : []));
    return nodes[0]!;
  }

  private async tile(level: number, number: bigint): Promise<Uint8Array> {
    const rest = (this.size >> BigInt(8 * level)) - number * TILE;
    const path = `tile/${level}/${tilePath(number)}${rest < TILE ? `.p/${rest}` : ""}`;
    const data = this.kept.get(path) ?? (await this.read(path));
    if (data === null || data.length !== Number(rest < TILE ? rest : TILE) * HASH_BYTES) throw new LogFault(`the log lacks ${path}`);
    this.kept.set(path, data);
    return data;
  }
}

/** The number of a tile in groups of three digits. */
function tilePath(number: bigint): string {
  const digits = String(number);
  const groups = digits.padStart(digits.length + ((3 - (digits.length % 3)) % 3), "0").match(/.../g)!;
  return groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/");
}
