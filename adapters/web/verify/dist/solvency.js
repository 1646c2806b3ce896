// Proofs that what is owed to a player is in the stated sum, as docs/fairness/solvency.md says.
import { isObject } from "./json.js";
import { hex, sha256 } from "./sha256.js";
import { base64, integerOf, MAX, utf8 } from "./signatures.js";
import { factOf, HEADER, StatementFault, verifyStatement, wholeOf } from "./statements.js";
const PATH_NODE = 40; // bytes: a sum in 8 and a hash in 32
const LINES = ["token", "root", "sum", "leaves", "treasury", "holding"];
const AMOUNTS = ["available", "held", "staked", "unclaimed"];
const hashOf = (text) => hex(sha256(utf8(text)));
function nodeOf(left, right) {
    const sum = left.sum + right.sum;
    if (sum > MAX)
        throw new StatementFault("a sum of the tree is above 9223372036854775807");
    return { sum, hash: hashOf(`casino solvency node 1\nleft: ${left.sum}:${left.hash}\nright: ${right.sum}:${right.hash}\n`) };
}
/** The trees in a statement, by their tokens. */
function treesOf(facts) {
    const trees = new Map();
    const from = facts.findIndex(([name], i) => i >= HEADER.length && name !== "head");
    for (let at = from; at >= 0 && at < facts.length; at += LINES.length) {
        if (LINES.some((name, i) => facts[at + i]?.[0] !== name))
            throw new StatementFault(`a token of the statement does not have the lines ${LINES.join(", ")}`);
        const [token, hash, sum, leaves] = [0, 1, 2, 3].map((i) => facts[at + i][1]);
        if (trees.has(token))
            throw new StatementFault(`the statement has token ${token} twice`);
        if (!/^[0-9a-f]{64}$/.test(hash))
            throw new StatementFault("a root of the statement is no hash");
        trees.set(token, { hash, sum: wholeOf(sum, "sum"), leaves: wholeOf(leaves, "leaves") });
    }
    return trees;
}
/** The nodes of a path; null for a text that is none. */
function pathOf(value) {
    if (typeof value !== "string")
        return null;
    const padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
    const length = (value.length / 4) * 3 - padding;
    const bytes = Number.isInteger(length) && length % PATH_NODE === 0 ? base64(value, length) : null;
    if (bytes === null)
        return null;
    const view = new DataView(bytes.buffer);
    return Array.from({ length: length / PATH_NODE }, (_, i) => ({ sum: view.getBigUint64(i * PATH_NODE), hash: hex(bytes.subarray(i * PATH_NODE + 8, (i + 1) * PATH_NODE)) }));
}
/** Whether a leaf is in a tree. */
function isIn(tree, leaf, index, path) {
    if (index < 0n || index >= tree.leaves)
        return false;
    let node = leaf;
    let used = 0;
    for (let last = tree.leaves - 1n; last > 0n; index /= 2n, last /= 2n) {
        if (index % 2n === 0n && index === last)
            continue;
        const other = path[used++];
        if (other === undefined || other.sum > MAX)
            return false;
        node = index % 2n === 1n ? nodeOf(other, node) : nodeOf(node, other);
    }
    return used === path.length && node.sum === tree.sum && node.hash === tree.hash;
}
function owedBy(proof, trees, owner) {
    if (!isObject(proof) || typeof proof["token"] !== "string")
        throw new StatementFault("a proof has no token");
    const { token } = proof;
    const tree = trees.get(token);
    if (tree === undefined)
        throw new StatementFault(`the statement has no token ${token}`);
    const [available, held, staked, unclaimed] = AMOUNTS.map((name) => {
        const amount = integerOf(proof[name]);
        if (amount === null || amount < 0n)
            throw new StatementFault(`${name} is no whole number from 0 to 9223372036854775807`);
        return amount;
    });
    const index = integerOf(proof["index"]);
    const path = pathOf(proof["path"]);
    const sum = available + held + staked + unclaimed;
    if (index === null || path === null || sum > MAX)
        throw new StatementFault(`the proof of ${token} is malformed`);
    const text = `casino solvency leaf 1\nowner: ${owner}\ntoken: ${token}\navailable: ${available}\nheld: ${held}\nstaked: ${staked}\nunclaimed: ${unclaimed}\n`;
    if (!isIn(tree, { sum, hash: hashOf(text) }, index, path))
        throw new StatementFault(`the stated sum of ${token} does not have what the proof says`);
    return { token, available, held, staked, unclaimed };
}
/** Verifies an answer of GET /account/solvency. Fails with StatementFault, which says why it proves nothing. */
export async function verifySolvency(answer, keys) {
    if (!isObject(answer))
        throw new StatementFault("it is no answer of GET /account/solvency");
    const { wallet, salt, proofs } = answer;
    if (typeof wallet !== "string" || typeof salt !== "string" || !Array.isArray(proofs))
        throw new StatementFault("wallet, salt or proofs are missing");
    const facts = await verifyStatement(answer["signed"], keys, "solvency");
    const trees = treesOf(facts);
    const owner = hashOf(`casino solvency owner 1\nwallet: ${wallet}\nsalt: ${salt}\n`);
    const owed = proofs.map((proof) => owedBy(proof, trees, owner));
    if (new Set(owed.map(({ token }) => token)).size < owed.length)
        throw new StatementFault("a token has two proofs");
    const heads = facts.filter(([name]) => name === "head").map(([, text]) => {
        const [lane, seq, hash] = text.split(":");
        if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash))
            throw new StatementFault("a head of the statement is no block");
        return { lane: wholeOf(lane, "lane"), seq: wholeOf(seq, "seq"), hash };
    });
    return { wallet, time: wholeOf(factOf(facts, "time"), "time"), heads, ledger: factOf(facts, "ledger"), owed };
}
