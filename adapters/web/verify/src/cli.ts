#!/usr/bin/env node
/// <reference path="./node.d.ts" />
import { readFileSync } from "node:fs";
import { checkReceipts, notes, readReceiptKeys, Unverifiable, verify } from "./index.js";

const USAGE = `Usage: casino-verify ROUND.json     a round as GET /history/{id} answers it, - for standard input
       casino-verify --lines        a round a line on standard input, a verdict a line on standard output
       casino-verify --receipt FILE --keys KEYS.json --wallet WALLET [--history FILE]
                                    answers with their receipts, one or one a line

Exit code 0: verified. 1: the round is not what its seeds decide, or is void. 2: it can't be verified.
With --lines 0: every round was read; what became of each is in its line.`;

const VERIFIED = 0;
const DIFFERS = 1;
const UNVERIFIABLE = 2;

/** Prints the verdict on one round, and returns the exit code. */
function one(text: string): number {
  const { verified, differences, void: nothing } = verify(text);
  for (const { name, said, is } of differences) console.log(`${name}: the round says ${said}, ${name === "config" ? "by how it was opened it is" : "its seeds decide"} ${is}`);
  for (const note of notes(text)) console.log(note);
  if (!verified || nothing) {
    console.error(verified ? "the round is void" : "the round is not what its seeds decide");
    return DIFFERS;
  }
  console.log("verified: commitment, outcome, multiplier and payout are what the seeds decide");
  return VERIFIED;
}

/** The verdict on a line, as a line. */
function judge(line: string): string {
  try {
    const { verified, differences, void: nothing } = verify(line);
    const said = notes(line);
    return JSON.stringify({
      verified: verified && !nothing, differs: differences.map(({ name }) => name), ...(nothing && { void: true }), ...(said.length > 0 && { notes: said }),
    });
  } catch (error) {
    if (!(error instanceof Unverifiable)) throw error;
    return JSON.stringify({ error: error.message });
  }
}

async function lines(): Promise<number> {
  process.stdin.setEncoding("utf8");
  const answer = (all: string[]): Promise<void> =>
    new Promise((done) => void process.stdout.write(all.map((line) => judge(line) + "\n").join(""), done));
  let rest = "";
  for await (const chunk of process.stdin) {
    const whole = (rest + chunk).split("\n");
    rest = whole.pop()!;
    if (whole.length > 0) await answer(whole);
  }
  if (rest !== "") await answer([rest]);
  return VERIFIED;
}

/** Verifies a file of receipts, and returns the exit code. */
async function receipts(options: Map<string, string>): Promise<number> {
  const read = (name: string): string => readFileSync(options.get(name)!, "utf8");
  const history = options.has("--history") ? read("--history") : undefined;
  const report = await checkReceipts(read("--receipt"), readReceiptKeys(read("--keys")), options.get("--wallet")!, history);
  for (const finding of report.findings) console.log(finding);
  console.log(`${report.verified} of ${report.receipts} receipts are verified`);
  return report.findings.length > 0 ? DIFFERS : VERIFIED;
}

/** The options of a command line with receipts, null for another one. */
function receiptOptions(args: string[]): Map<string, string> | null {
  const options = new Map<string, string>();
  for (let i = 0; i + 1 < args.length; i += 2) options.set(args[i]!, args[i + 1]!);
  const needed = ["--receipt", "--keys", "--wallet"];
  const known = [...options.keys()].every((name) => needed.includes(name) || name === "--history");
  return args.length === 2 * options.size && known && needed.every((name) => options.has(name)) ? options : null;
}

async function run(args: string[]): Promise<number> {
  const asked = receiptOptions(args);
  if (asked !== null) {
    try {
      return await receipts(asked);
    } catch (error) {
      console.error(`can't be verified: ${(error as Error).message}`);
      return UNVERIFIABLE;
    }
  }
  const [name] = args;
  if (args.length !== 1 || name === undefined || (name.startsWith("-") && name !== "-" && name !== "--lines")) {
    console.error(USAGE);
    return name === "--help" || name === "-h" ? VERIFIED : UNVERIFIABLE;
  }
  if (name === "--lines") return lines();
  try {
    return one(readFileSync(name === "-" ? 0 : name, "utf8"));
  } catch (error) {
    console.error((error as Error).message);
    return UNVERIFIABLE;
  }
}

process.exitCode = await run(process.argv.slice(2));
