// Verifies many rounds: each is recomputed, and those of a pair of seeds are compared with each
// other, because only the numbers show a missing round.

import { Decimal, verify, type Json } from "@casino-service/verify";
import { reasonOf, roundIn, type Item } from "./input";

export interface Line {
  item: Item;
  /** verified, differs or void, or why it can't be verified. */
  state: "verified" | "differs" | "void" | "not revealed" | "cant";
  /** The difference, or the reason. */
  detail: string;
  gameType: string;
  nonce: string;
}

/** Rounds of one commitment. */
export interface Pair {
  serverSeedHash: string;
  clientSeeds: string[];
  rounds: number;
  /** Whether its number of rounds is known; then none may be missing. */
  announced: boolean;
  /** The first of the missing nonces. */
  missing: string[];
  missingCount: bigint;
  twice: string[];
}

export interface Report {
  lines: Line[];
  counts: Record<Line["state"], number>;
  pairs: Pair[];
}

/** A pair as announced, with its number of rounds. */
export interface Announced {
  serverSeedHash: string;
  rounds: bigint;
}

const NAMED_MAX = 20;
const SLICE_MS = 24; // between two pauses for the page's other work

/** Pauses for the page's other work. Not a timer, because those of hidden pages come too late. */
function breathe(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

function word(value: Json | undefined): string {
  return value instanceof Decimal ? value.text : typeof value === "string" ? value : "";
}

interface Numbers {
  clientSeeds: Set<string>;
  nonces: bigint[];
}

function judge(item: Item, pairs: Map<string, Numbers>): Line {
  const line: Line = { item, state: "cant", detail: "", gameType: "", nonce: "" };
  try {
    const round = roundIn(item);
    line.gameType = word(round["gameType"]);
    line.nonce = word(round["nonce"]);
    note(round, pairs);
    const { verified, differences, void: nothing } = verify(round);
    line.state = !verified ? "differs" : nothing ? "void" : "verified";
    line.detail = differences.map(({ name }) => name).join(" ");
  } catch (error) {
    line.detail = reasonOf(error);
    if (line.detail === "not revealed") line.state = "not revealed";
  }
  return line;
}

/** Adds a round's number to those of its pair. */
function note(round: { [name: string]: Json }, pairs: Map<string, Numbers>): void {
  const { serverSeedHash: hash, nonce, clientSeed } = round;
  const number = nonce instanceof Decimal ? nonce.in(0) : null;
  if (typeof hash !== "string" || typeof clientSeed !== "string" || number === null || number < 0n) return;
  const of = pairs.get(hash) ?? { clientSeeds: new Set(), nonces: [] };
  of.clientSeeds.add(clientSeed);
  of.nonces.push(number);
  pairs.set(hash, of);
}

/** The missing numbers of a pair, from 0 to the greatest or to the announced number. */
function pairOf(serverSeedHash: string, { clientSeeds, nonces }: Numbers, announced: bigint | null): Pair {
  const pair: Pair = { serverSeedHash, clientSeeds: [...clientSeeds], rounds: nonces.length, announced: announced !== null, missing: [], missingCount: 0n, twice: [] };
  const gap = (from: bigint, to: bigint): void => {
    if (from > to) return;
    pair.missingCount += to - from + 1n;
    if (pair.missing.length < NAMED_MAX) pair.missing.push(from === to ? `${from}` : `${from}–${to}`);
  };
  let next = 0n;
  for (const nonce of nonces.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
    if (nonce < next) {
      if (pair.twice.length < NAMED_MAX) pair.twice.push(`${nonce}`);
      continue;
    }
    gap(next, nonce - 1n);
    next = nonce + 1n;
  }
  if (announced !== null) gap(next, announced - 1n);
  return pair;
}

/** Verifies all rounds in slices, so that the page stays responsive. */
export async function verifyAll(items: Item[], announced: Announced | null, progress: (done: number) => void, stopped: () => boolean): Promise<Report | null> {
  const pairs = new Map<string, Numbers>();
  const report: Report = { lines: [], counts: { verified: 0, differs: 0, void: 0, "not revealed": 0, cant: 0 }, pairs: [] };
  if (announced !== null) pairs.set(announced.serverSeedHash, { clientSeeds: new Set(), nonces: [] });
  for (let begun = performance.now(); report.lines.length < items.length; ) {
    const line = judge(items[report.lines.length]!, pairs);
    report.lines.push(line);
    report.counts[line.state]++;
    if (performance.now() - begun < SLICE_MS) continue;
    progress(report.lines.length);
    await breathe();
    if (stopped()) return null;
    begun = performance.now();
  }
  for (const [hash, numbers] of pairs) report.pairs.push(pairOf(hash, numbers, hash === announced?.serverSeedHash ? announced.rounds : null));
  return report;
}
