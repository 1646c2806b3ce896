// Rounds of the shared crash, as docs/fairness/shared-crash.md says.
import { crashEndOf, crashMultiplierAt, crashTimeOf } from "./crashtable.js";
import { Decimal } from "./decimal.js";
import { Unverifiable } from "./errors.js";
import { isObject, parse } from "./json.js";
import { nodeHash } from "./merkle.js";
import { hex, hmacSha256, sha256 } from "./sha256.js";
import { integerOf, joined, MAX, utf8 } from "./signatures.js";
// The members with their kinds; a "?" marks those that may be missing.
const CHAIN = { id: "text", commitment: "text", length: "whole" };
const ROUND = {
    chain: "text", number: "whole", status: "text", cap: "times", previousHash: "text", aboveHeight: "whole", openedAt: "whole?", closing: "text?", height: "whole?",
    salt: "text?", beaconHeight: "whole?", startedAt: "whole?", hash: "text?", point: "times?", recovered: "flag?",
};
const PLACED = { id: "text", token: "text", wager: "whole", cashOut: "times" };
const BET = { ...PLACED, cashedOut: "times?", multiplier: "times?", payout: "whole?" };
function valueOf(value, kind) {
    if (kind === "text")
        return typeof value === "string" ? value : null;
    if (kind === "flag")
        return typeof value === "boolean" ? String(value) : null;
    if (kind === "times")
        return value instanceof Decimal && /^(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?$/.test(value.text) ? value.in(2) : null;
    const whole = integerOf(value);
    return whole !== null && whole >= 0n ? whole : null;
}
function membersOf(thing, of, kinds) {
    if (!isObject(thing))
        throw new Unverifiable("malformed", `malformed: ${of}`);
    const members = {};
    for (const [name, kind] of Object.entries(kinds)) {
        const missing = (thing[name] ?? null) === null;
        members[name] = missing ? null : valueOf(thing[name], kind.replace("?", ""));
        if (members[name] === null && !(missing && kind.endsWith("?")))
            throw new Unverifiable("malformed", `malformed: ${of}.${name}`);
    }
    return members;
}
/** Reads an answer: a JSON text, or the result of parse. */
export function readCrash(text) {
    const answer = typeof text === "string" ? parse(text.replace(/^\ufeff/, "")) : text;
    if (!isObject(answer))
        throw new Unverifiable("malformed", "malformed: it is no object");
    const bets = answer["bets"] ?? [];
    if (!Array.isArray(bets))
        throw new Unverifiable("malformed", "malformed: bets");
    return {
        chain: membersOf(answer["chain"], "chain", CHAIN), round: (answer["round"] ?? null) === null ? null : membersOf(answer["round"], "round", ROUND),
        bets: bets.map((bet) => membersOf(bet, "bets", BET)),
    };
}
const HASH = /^[0-9a-f]{64}$/;
const BASE58 = "[1-9A-HJ-NP-Za-km-z]{32,44}";
const COMMITMENT = new RegExp("^casino crash chain 1\nchain: ([0-9A-Za-z-]{1,64})\nepoch: [1-9][0-9]{0,18}\nrules: crash/2\nterminal: ([0-9a-f]{64})\nlength: ([1-9][0-9]{0,7})\n" +
    `beacon: (?:solana\nnetwork: (${BASE58})|drand\nnetwork: [0-9a-f]{64})\ndelay: ([1-9][0-9]{0,18})\nwindow: (0|[1-9][0-9]{0,18})\n$`);
const CLOSING = /^casino crash round 1\nchain: (.+)\nround: (\d+)\ncap: (\d+)\nseen: (0|[1-9]\d*)\nheight: (\d+)\nbets: (\d+)\nroot: ([0-9a-f]{64})\n$/;
const NAME = /^[!-~]{1,64}$/;
function ruleOf(text) {
    const found = COMMITMENT.exec(text);
    if (found === null)
        return null;
    const [chain, terminal, length, network, delay, window] = found.slice(1);
    if (BigInt(length) > 10000000n || (network === undefined) !== (window === "0"))
        return null;
    return { chain, terminal, length: BigInt(length), network: network ?? null, delay: BigInt(delay), window: BigInt(window) };
}
/** The genesis hash of the Solana cluster whose slots decide a chain's rounds; null if none do. */
export const crashNetwork = (answer) => ruleOf(answer.chain["commitment"])?.network ?? null;
function walk(hash, steps) {
    for (; steps > 0n; steps--)
        hash = hex(sha256(utf8(hash)));
    return hash;
}
function rootOf(leaves) {
    if (leaves.length < 2)
        return leaves[0] ?? sha256(new Uint8Array());
    let split = 1;
    while (2 * split < leaves.length)
        split *= 2;
    return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}
const max = (...all) => all.reduce((most, one) => (one !== null && one > most ? one : most), 0n);
/** The point of a round in hundredths. */
export function crashPoint(hash, salt) {
    const k = BigInt("0x" + hex(hmacSha256(utf8(hash), utf8(salt)).subarray(0, 4)));
    return max(100n, (99n << 32n) / (k + 1n));
}
/**
 * Verifies a round that has ended. before is an answer that was kept from before, block the first slot
 * of the round's height or later as the network shows it.
 */
export function verifyCrash(answer, before = null, block = null) {
    const findings = [];
    const expect = (holds, check, text) => (holds || findings.push({ check, text }), holds);
    const { round, bets, chain } = answer;
    if (round === null || round["hash"] === null || !["crashed", "settled", "cancelled"].includes(round["status"])) {
        throw new Unverifiable("not revealed", "not revealed: the hash is shown when the round ends");
    }
    const { height, beaconHeight: slot, salt, status } = round;
    const [number, hash, cap] = [round["number"], round["hash"], round["cap"]];
    const cancelled = status === "cancelled";
    const rule = ruleOf(chain["commitment"]);
    if (rule === null)
        return { findings: [{ check: "commitment", text: "the text is no commitment of a chain" }], notChecked: [] };
    const inChain = number >= 1n && number <= rule.length;
    expect(inChain && chain["id"] === rule.chain && round["chain"] === rule.chain && chain["length"] === rule.length, "commitment", `it is of another chain, or the chain has no round ${number}`);
    const isHash = expect(HASH.test(hash), "hash", "it is not 64 hexadecimal digits in lower case");
    if (isHash)
        expect(walk(hash, 1n) === round["previousHash"], "hash", "it does not lead to that of the round before");
    if (isHash && number <= rule.length)
        expect(walk(hash, number) === rule.terminal, "hash", "it does not lead to the terminal hash");
    const closing = CLOSING.exec(round["closing"] ?? "");
    if (closing !== null) {
        const due = max(BigInt(closing[4]), round["aboveHeight"]) + rule.delay;
        expect(closing[1] === round["chain"] && closing[2] === String(number) && closing[3] === String(cap), "closing", "it is of another round, or has another cap");
        expect(cap >= 200n && cap <= 100000000n, "closing", `the cap is ${cap} hundredths`);
        expect(closing[5] === String(due) && height === due, "closing", `the height must be ${due}`);
    }
    else if (round["closing"] !== null || !cancelled)
        expect(false, "closing", "the round has no closing commit");
    if (!cancelled) {
        const value = rule.network === null ? `drand:${slot}:[0-9a-f]{64}` : `solana:${slot}:${BASE58}`;
        expect(new RegExp(`^${value}$`).test(salt ?? ""), "beacon", `the salt is none of the beacon at ${slot}`);
        expect(height !== null && slot !== null && slot >= height && slot - height < max(1n, rule.window), "beacon", `the beacon at ${slot} is not the first at or after ${height}`);
    }
    else if (expect(salt === null, "beacon", "the round is cancelled, and has a beacon") && round["closing"] !== null) {
        expect(rule.network !== null && height !== null && slot !== null && slot - height >= rule.window, "beacon", "nothing proves that no beacon came");
    }
    if (block !== null && height !== null) {
        const same = block.slot === slot && block.parent < height && (salt === null || salt === `solana:${slot}:${block.blockhash}`);
        expect(same, "beacon", `the first slot at or after ${height} is ${block.slot} after ${block.parent}, with the blockhash ${block.blockhash}`);
    }
    let point = null;
    if (!cancelled && isHash && salt !== null)
        point = crashPoint(hash, salt);
    const decided = cancelled || point !== null;
    if (decided)
        expect(round["point"] === point, "point", `the round says ${round["point"]} hundredths, its hash and its salt decide ${point}`);
    const taken = bets.every(({ id, token, wager, cashOut }) => NAME.test(id) && NAME.test(token) && wager >= 1n && cashOut >= 101n && cashOut <= cap);
    expect(taken && new Set(bets.map((bet) => bet["id"])).size === bets.length, "bets", "the list has bets that the round does not take, or takes once");
    if (taken && closing !== null) {
        const leaves = [...bets].sort((a, b) => (a["id"] < b["id"] ? -1 : 1)).map((bet) => sha256(joined(Uint8Array.of(0), utf8(`casino crash bet 1\nchain: ${round["chain"]}\nround: ${number}\nid: ${bet["id"]}\ntoken: ${bet["token"]}\nwager: ${bet["wager"]}\ncash-out: ${bet["cashOut"]}\n`))));
        const root = hex(rootOf(leaves));
        expect(closing[6] === String(bets.length) && closing[7] === root, "bets", `the closing commit has other ones: the root of the ${bets.length} listed is ${root}`);
    }
    if (taken && decided) {
        for (const bet of bets) {
            const fault = resultFault(bet, round, point);
            if (fault !== null)
                expect(false, "result", `bet ${bet["id"]}: ${fault}`);
        }
    }
    if (before !== null)
        for (const text of faultsBefore(answer, before, rule))
            expect(false, "before", text);
    return { findings, notChecked: leftOut(answer, before, block) };
}
/** How the result of a bet differs from what the point decides, null if it doesn't. The point of a cancelled round is null. */
function resultFault(bet, round, point) {
    const [wager, byHand] = [bet["wager"], bet["cashedOut"]];
    let at = bet["cashOut"];
    if (byHand !== null) {
        const highest = point === null ? 0 : crashMultiplierAt(crashEndOf(Number(point), Number(round["cap"])) - 1);
        const onCurve = byHand === at || BigInt(crashMultiplierAt(crashTimeOf(Number(byHand)))) === byHand;
        if (byHand < 101n || byHand > at || byHand > BigInt(highest) || !onCurve)
            return `no cash-out by hand at ${byHand} hundredths counts`;
        at = byHand;
    }
    const { multiplier, payout } = bet;
    if (multiplier === null && payout === null && round["status"] !== "settled")
        return null;
    let decided = [at, (wager * at) / 100n];
    if (point === null || at > point)
        decided = point === null || round["recovered"] === "true" ? [100n, wager] : [0n, 0n];
    return multiplier === decided[0] && payout === decided[1] && decided[1] <= MAX ? null : `the point decides ${decided[1]} at ${decided[0]} hundredths`;
}
/** How an answer differs from one that was kept from before. */
function* faultsBefore({ chain, round, bets }, before, rule) {
    const earlier = before.round;
    if (chain["commitment"] !== before.chain["commitment"])
        return yield "the chain had another commitment";
    if (earlier === null)
        return;
    const [number, then] = [round["number"], earlier["number"]];
    if (then > number)
        throw new Unverifiable("malformed", "the answer from before is of a later round");
    if (then === number) {
        for (const [name, value] of Object.entries(earlier)) {
            if (name !== "status" && name !== "recovered" && value !== null && value !== round[name])
                yield `${name} was ${value}`;
        }
        for (const bet of before.bets) {
            const now = bets.find(({ id }) => id === bet["id"]);
            if (Object.keys(PLACED).some((name) => now?.[name] !== bet[name]))
                yield `bet ${bet["id"]} was another`;
        }
    }
    else if (earlier["hash"] !== null && number <= rule.length) {
        if (walk(round["hash"], number - then) !== earlier["hash"])
            yield `the hash does not lead to that of round ${then}`;
        const above = max(...["aboveHeight", "height", "beaconHeight"].map((name) => earlier[name]));
        if (then + 1n === number && round["aboveHeight"] !== above)
            yield `aboveHeight is not the greatest height of the round before, ${above}`;
    }
}
function leftOut({ round, bets }, before, block) {
    const { status, closing, recovered, height } = round;
    return [
        before === null && "whether the chain is the one that was published",
        block === null && height !== null && "the beacon, by its network",
        (recovered === "true" || (status === "cancelled" && closing === null)) && "whether the database was restored, as the round says",
        status !== "settled" && bets.some(({ multiplier, payout }) => multiplier === null && payout === null) && "bets that have no result yet",
    ].filter((text) => text !== false);
}
/** Reads the first finalized slot at or after a height, by a function that asks a node of the network. */
export async function readCrashBlock(height, network, ask) {
    const commitment = { commitment: "finalized" };
    if ((await ask("getGenesisHash", [])) !== network)
        throw new Unverifiable("malformed", "the node is of another network");
    const slots = await ask("getBlocksWithLimit", [Decimal.of(height), Decimal.of(1n), commitment]);
    const slot = Array.isArray(slots) ? integerOf(slots[0]) : null;
    const options = { ...commitment, transactionDetails: "none", rewards: false, maxSupportedTransactionVersion: Decimal.of(0n) };
    const block = slot === null ? null : await ask("getBlock", [Decimal.of(slot), options]);
    const parent = isObject(block) ? integerOf(block["parentSlot"]) : null;
    const blockhash = isObject(block) ? block["blockhash"] : null;
    if (slot === null || parent === null || typeof blockhash !== "string" || parent >= height)
        throw new Unverifiable("malformed", `the node does not show the first slot from ${height}`);
    return { slot, blockhash, parent };
}
