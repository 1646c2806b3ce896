#!/usr/bin/env node
/// <reference path="./node.d.ts" />
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { checkAnchor, checkCapture, checkLog, checkReceipts, crashNetwork, isObject, memoRequest, notes, parse, readCrash, readCrashBlock, readLogKeys, readMemo, readReceiptKeys, readWitnessKeys, StatementFault, stringify, Unverifiable, verify, verifyCrash, verifySolvency, } from "./index.js";
const USAGE = `Usage: casino-verify ROUND.json     a round as GET /history/{id} answers it, - for standard input
       casino-verify --lines        a round a line on standard input, a verdict a line on standard output
       casino-verify --receipt FILE --keys KEYS.json --wallet WALLET [--history FILE]
               [--log URL [--checkpoints FILE]] [--witnesses FILE] [--anchor SIGNATURE --rpc URL]
                                    answers with their receipts, one or one a line
       casino-verify --log URL --keys KEYS.json [--checkpoints FILE] [--witnesses FILE]
                                    checkpoints of the public log
       casino-verify --solvency FILE --keys KEYS.json
                                    an answer of GET /account/solvency
       casino-verify --crash FILE [--before FILE] [--rpc URL]
                                    an answer of GET /crash/rounds/{number}
       casino-verify --capture FILE a capture of casino fairness capture

Exit code 0: verified. 1: the round is not what its seeds decide, or is void. 2: it can't be verified.
With --lines 0: every round was read; what became of each is in its line.`;
const VERIFIED = 0;
const DIFFERS = 1;
const UNVERIFIABLE = 2;
/** Prints the verdict on one round, and returns the exit code. */
function one(text) {
    const { verified, differences, void: nothing } = verify(text);
    for (const { name, said, is } of differences)
        console.log(`${name}: the round says ${said}, ${name === "config" ? "by how it was opened it is" : "its seeds decide"} ${is}`);
    for (const note of notes(text))
        console.log(note);
    if (!verified || nothing) {
        console.error(verified ? "the round is void" : "the round is not what its seeds decide");
        return DIFFERS;
    }
    console.log("verified: commitment, outcome, multiplier and payout are what the seeds decide");
    return VERIFIED;
}
/** The verdict on a line, as a line. */
function judge(line) {
    try {
        const { verified, differences, void: nothing } = verify(line);
        const said = notes(line);
        return JSON.stringify({
            verified: verified && !nothing, differs: differences.map(({ name }) => name), ...(nothing && { void: true }), ...(said.length > 0 && { notes: said }),
        });
    }
    catch (error) {
        if (!(error instanceof Unverifiable))
            throw error;
        return JSON.stringify({ error: error.message });
    }
}
/** The lines of a text that comes in parts, some at a time. */
async function* linesOf(chunks) {
    let rest = "";
    for await (const chunk of chunks) {
        const whole = (rest + chunk).split("\n");
        rest = whole.pop();
        if (whole.length > 0)
            yield whole;
    }
    if (rest !== "")
        yield [rest];
}
async function lines() {
    process.stdin.setEncoding("utf8");
    for await (const all of linesOf(process.stdin)) {
        await new Promise((done) => void process.stdout.write(all.map((line) => judge(line) + "\n").join(""), done));
    }
    return VERIFIED;
}
/** Checks a capture, and returns the exit code. */
async function capture(options) {
    async function* each() {
        for await (const all of linesOf(createReadStream(options.get("--capture"), { encoding: "utf8", highWaterMark: 1 << 20 })))
            yield* all;
    }
    const report = await checkCapture(each());
    for (const { check, line, text } of report.findings)
        console.log(`${check}: line ${line}: ${text}`);
    for (const sentence of report.leftOut)
        console.log(sentence);
    console.log(`${report.rounds} rounds in ${report.pairs} pairs of ${report.players} players, ${report.receipts} receipts: ${report.found === 0 ? "nothing was found" : `${report.found} findings`}`);
    return report.found > 0 ? DIFFERS : VERIFIED;
}
/** Verifies an answer of GET /account/solvency, and returns the exit code. */
async function solvency(options) {
    const keys = readReceiptKeys(readFileSync(options.get("--keys"), "utf8"));
    const answer = parse(readFileSync(options.get("--solvency"), "utf8"));
    try {
        const { wallet, time, owed } = await verifySolvency(answer, keys);
        console.log(`${wallet}, at ${new Date(Number(time)).toISOString()}:`);
        for (const { token, available, held, staked, unclaimed } of owed)
            console.log(`${token}: available ${available}, held ${held}, staked ${staked}, unclaimed ${unclaimed}`);
        console.log(owed.length > 0 ? "verified: these amounts are in the signed sums; compare them with what is yours" : "verified: nothing was counted as yours");
        return VERIFIED;
    }
    catch (fault) {
        if (!(fault instanceof StatementFault))
            throw fault;
        console.log(`solvency: ${fault.message}`);
        return DIFFERS;
    }
}
/** Verifies a file of receipts, and returns the exit code. */
async function receipts(options) {
    const read = (name) => readFileSync(options.get(name), "utf8");
    const history = options.has("--history") ? read("--history") : undefined;
    const log = logOf(options);
    const more = [async (verified) => (await checkLog(log, verified)).findings];
    if (options.has("--anchor")) {
        const headers = { "Content-Type": "application/json" };
        const signature = options.get("--anchor");
        const answer = await fetch(options.get("--rpc"), { method: "POST", headers, body: memoRequest(signature) });
        const memo = await readMemo(await answer.text());
        more.push(async (verified) => checkAnchor(signature, memo, read("--keys"), verified));
    }
    const report = await checkReceipts(read("--receipt"), readReceiptKeys(read("--keys")), options.get("--wallet"), history, ...more);
    for (const finding of report.findings)
        console.log(finding);
    console.log(`${report.verified} of ${report.receipts} receipts are verified`);
    return report.findings.length > 0 ? DIFFERS : VERIFIED;
}
/** Verifies a round of the shared crash, and returns the exit code. */
async function crash(options) {
    const read = (name) => readCrash(readFileSync(options.get(name) === "-" ? 0 : options.get(name), "utf8"));
    const answer = read("--crash");
    const before = options.has("--before") ? read("--before") : null;
    const height = answer.round?.["height"];
    const network = crashNetwork(answer);
    const ask = async (method, params) => {
        const body = stringify({ jsonrpc: "2.0", id: "1", method, params });
        const reply = parse(await (await fetch(options.get("--rpc"), { method: "POST", headers: { "Content-Type": "application/json" }, body })).text());
        return isObject(reply) ? (reply["result"] ?? null) : null;
    };
    const block = options.has("--rpc") && network !== null && typeof height === "bigint" ? await readCrashBlock(height, network, ask) : null;
    const { findings, notChecked } = verifyCrash(answer, before, block);
    for (const { check, text } of findings)
        console.log(`${check}: ${text}`);
    for (const sentence of notChecked)
        console.log(`not checked: ${sentence}`);
    if (findings.length > 0)
        return DIFFERS;
    console.log(`verified: round ${answer.round["number"]} of chain ${answer.round["chain"]} with ${answer.bets.length} bets`);
    return VERIFIED;
}
/** What the options on the public log name. */
function logOf(options) {
    const read = (name) => readFileSync(options.get(name), "utf8");
    const base = options.get("--log");
    return {
        keys: readLogKeys(read("--keys")),
        ...(options.has("--witnesses") && { witnesses: readWitnessKeys(read("--witnesses")) }),
        ...(options.has("--checkpoints") && { checkpoints: read("--checkpoints") }),
        ...(base !== undefined && { read: (path) => readLogFile(base, path) }),
    };
}
/** Reads a file of a log below a URL or a folder, null for one that is missing. */
async function readLogFile(log, path) {
    const name = `${log.replace(/\/+$/, "")}/${path}`;
    if (!/^https?:\/\//.test(log))
        return existsSync(name) ? readFileSync(name) : null;
    const answer = await fetch(name);
    if (!answer.ok && answer.status !== 404)
        throw new Error(`${name} answers with status ${answer.status}`);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}
/** Verifies checkpoints of the public log, and returns the exit code. */
async function publicLog(options) {
    const report = await checkLog(logOf(options));
    for (const finding of report.findings)
        console.log(finding);
    console.log(`${report.verified} of ${report.checkpoints} checkpoints are verified`);
    return report.findings.length > 0 ? DIFFERS : VERIFIED;
}
const COMMANDS = [
    { run: receipts, needed: ["--receipt", "--keys", "--wallet"], allowed: ["--history", "--log", "--checkpoints", "--witnesses", "--anchor", "--rpc"] },
    { run: publicLog, needed: ["--log", "--keys"], allowed: ["--checkpoints", "--witnesses"] },
    { run: solvency, needed: ["--solvency", "--keys"], allowed: [] },
    { run: crash, needed: ["--crash"], allowed: ["--before", "--rpc"] },
    { run: capture, needed: ["--capture"], allowed: [] },
];
/** The command that a command line names by its options. */
function commandOf(args) {
    const options = new Map();
    for (let i = 0; i + 1 < args.length; i += 2)
        options.set(args[i], args[i + 1]);
    if (args.length !== 2 * options.size)
        return null;
    const names = [...options.keys()];
    if ((options.has("--anchor") !== options.has("--rpc") && !options.has("--crash")) || (options.has("--checkpoints") && !options.has("--log")))
        return null;
    const command = COMMANDS.find(({ needed, allowed }) => needed.every((name) => options.has(name)) && names.every((name) => needed.includes(name) || allowed.includes(name)));
    return command === undefined ? null : { command, options };
}
async function run(args) {
    const asked = commandOf(args);
    if (asked !== null) {
        try {
            return await asked.command.run(asked.options);
        }
        catch (error) {
            console.error(`can't be verified: ${error.message}`);
            return UNVERIFIABLE;
        }
    }
    const [name] = args;
    if (args.length !== 1 || name === undefined || (name.startsWith("-") && name !== "-" && name !== "--lines")) {
        console.error(USAGE);
        return name === "--help" || name === "-h" ? VERIFIED : UNVERIFIABLE;
    }
    if (name === "--lines")
        return lines();
    try {
        return one(readFileSync(name === "-" ? 0 : name, "utf8"));
    }
    catch (error) {
        console.error(error.message);
        return UNVERIFIABLE;
    }
}
process.exitCode = await run(process.argv.slice(2));
