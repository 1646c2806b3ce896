// Signed statements: a text of names and values, one a line, as docs/fairness/refusals.md and
// docs/fairness/solvency.md show them.
import { isObject } from "./json.js";
import { base64, isSigned, SIGNATURE_BYTES } from "./signatures.js";
const FIRST = "casino statement 1\n";
/** The names that every statement begins with. */
export const HEADER = ["purpose", "ledger", "epoch", "time", "slot"];
/** Why a statement proves nothing, in plain words. */
export class StatementFault extends Error {
}
/** Reads the text of a statement with a purpose. */
export function factsOf(text, purpose) {
    if (!text.startsWith(FIRST) || !text.endsWith("\n"))
        throw new StatementFault("it is no statement");
    const facts = text.slice(FIRST.length, -1).split("\n").map((line) => {
        const at = line.indexOf(": ");
        if (at < 1)
            throw new StatementFault("a line of the statement has no name");
        return [line.slice(0, at), line.slice(at + 2)];
    });
    if (HEADER.some((name, i) => facts[i]?.[0] !== name))
        throw new StatementFault(`the statement does not begin with ${HEADER.join(", ")}`);
    if (facts[0][1] !== purpose)
        throw new StatementFault(`the statement's purpose is ${facts[0][1]}, not ${purpose}`);
    return facts;
}
/** Verifies a signed statement, and returns what it states. */
export async function verifyStatement(signed, keys, purpose) {
    if (!isObject(signed))
        throw new StatementFault("there is no signed statement");
    const { statement, kid } = signed;
    const signature = base64(signed["signature"], SIGNATURE_BYTES);
    if (typeof statement !== "string" || typeof kid !== "string" || signature === null)
        throw new StatementFault("the signed statement is malformed");
    if (!keys.has(kid))
        throw new StatementFault(`no key for receipts has the name ${kid}`);
    if (!(await isSigned(keys, kid, statement, signature)))
        throw new StatementFault("the statement is not signed by the key");
    return factsOf(statement, purpose);
}
/** The only value of a name in a statement. */
export function factOf(facts, name) {
    const values = facts.filter(([is]) => is === name);
    if (values.length !== 1)
        throw new StatementFault(`the statement has ${values.length} lines ${name}`);
    return values[0][1];
}
/** An amount or a time in a statement: a whole number of 0 … 2^63-1. */
export function wholeOf(text, name) {
    if (!/^(0|[1-9][0-9]{0,18})$/.test(text) || BigInt(text) >= 1n << 63n)
        throw new StatementFault(`${name} is no whole number from 0 to 9223372036854775807`);
    return BigInt(text);
}
