// Follows receipts to a memo on Solana, as docs/fairness/log.md says.
import { isObject, parse } from "./json.js";
import { HASH_BYTES, hashesOf, rootOf } from "./merkle.js";
import { hex } from "./sha256.js";
import { base64, base64OfAny, integerOf, isSigned, joined, keysFor, MAX, SIGNATURE_BYTES, textOf, utf8 } from "./signatures.js";
const MEMO = /^casino-log-1 casino\/([^ /]+)\/(?:0|[1-9][0-9]{0,18}) (0|[1-9][0-9]{0,18}) ([A-Za-z0-9+/]{43}=)$/;
const PROGRAMS = [
    "054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d",
    "054a5350f85dc882d614a55672788a296ddf1eababd0a60678884932f4eef6a0",
];
const VERSION_0 = 0x80; // the first byte of a message of version 0
const MORE = 0x80; // the bit of a byte of a count that another follows
/** The question to a node for a transaction. */
export function memoRequest(signature) {
    const options = { encoding: "base64", commitment: "finalized", maxSupportedTransactionVersion: 0 };
    return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTransaction", params: [signature, options] });
}
/** Reads the memo in the answer of a node; null if there is no such transaction with one memo. */
export async function readMemo(text) {
    const answer = parse(text);
    const shown = isObject(answer) ? answer["result"] : null;
    if (shown === null)
        return null;
    const meta = isObject(shown) ? shown["meta"] : null;
    const encoded = isObject(shown) && Array.isArray(shown["transaction"]) ? base64OfAny(shown["transaction"][0]) : null;
    if (!isObject(meta) || encoded === null)
        throw new Error("the node does not answer with a transaction");
    return meta["err"] === null ? memoOf(encoded) : null;
}
/** Reads a transaction. */
class Reader {
    data;
    at = 0;
    constructor(data) {
        this.data = data;
    }
    take(length) {
        this.at += length;
        if (this.at > this.data.length)
            throw new Error("the transaction is cut off");
        return this.data.slice(this.at - length, this.at);
    }
    count() {
        const byte = this.take(1)[0];
        return byte < MORE ? byte : byte - MORE + MORE * this.count();
    }
    list(length) {
        const count = this.count();
        return Array.from({ length: count }, () => this.take(length));
    }
}
/** The only memo of a transaction, and who paid for it and signed it; null without one memo. */
async function memoOf(transaction) {
    const reader = new Reader(transaction);
    const [signature] = reader.list(SIGNATURE_BYTES);
    const message = transaction.slice(reader.at);
    if (message[0] === VERSION_0)
        reader.take(1);
    reader.take(3);
    const accounts = reader.list(HASH_BYTES);
    reader.take(HASH_BYTES);
    const memos = [];
    for (let left = reader.count(); left > 0; left--) {
        const program = accounts[reader.take(1)[0]];
        reader.list(1);
        const data = joined(...reader.list(1));
        if (program !== undefined && PROGRAMS.includes(hex(program)))
            memos.push(data);
    }
    const [payer] = accounts;
    if (signature === undefined || payer === undefined || !(await isSigned(new Map([["", [payer]]]), "", message, signature))) {
        throw new Error("the node's transaction is not signed by its payer");
    }
    return memos.length === 1 ? { text: textOf(memos[0]), payer } : null;
}
/** Follows verified receipts to the log that the memo of a transaction states, and returns findings. The keys are an answer of GET /public/keys. */
export function checkAnchor(signature, memo, keys, receipts) {
    if (memo === null)
        return [`anchor: no finalized transaction ${signature} with one memo`];
    const { text, payer } = memo;
    const payers = [...keysFor(parse(keys), "anchors").values()].flat();
    if (!payers.some((key) => hex(key) === hex(payer)))
        return ["anchor: no key for anchors paid for the memo"];
    const found = MEMO.exec(text);
    const root = base64(found?.[3], HASH_BYTES);
    if (found === null || root === null || BigInt(found[2]) > MAX)
        return ["anchor: the memo does not state a log"];
    return receipts.flatMap((receipt) => {
        const fault = faultOf(receipt, found[1], BigInt(found[2]), hex(root));
        return fault === null ? [] : [`receipt ${receipt.number}: anchor: ${fault}`];
    });
}
/** Why the log of a memo does not have the block of a receipt, null if it has. */
function faultOf({ answer, head }, ledger, size, root) {
    const log = answer["log"];
    const anchor = isObject(log) ? log["anchor"] : null;
    const index = isObject(log) ? integerOf(log["index"]) : null;
    const path = isObject(anchor) ? hashesOf(anchor["path"]) : null;
    if (index === null || index < 0n || path === null)
        return "the answer has no proof for an anchor";
    if (ledger !== head.ledger)
        return "the memo is of another ledger";
    return rootOf(utf8(head.header), index, size, path) === root ? null : "the anchored log does not have the block";
}
