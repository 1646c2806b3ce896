// The digest of an order, as docs/fairness/refusals.md says: it binds a refusal to the whole request.
import { Decimal } from "./decimal.js";
import { isObject } from "./json.js";
import { hex, sha256 } from "./sha256.js";
import { utf8 } from "./signatures.js";
/** JSON without blanks, its members sorted by name, with the digits of its numbers. */
function canonical(value) {
    if (value instanceof Decimal)
        return value.text;
    if (Array.isArray(value))
        return `[${value.map(canonical).join(",")}]`;
    if (!isObject(value))
        return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}
/** The digest of a bet: its route, its Idempotency-Key (empty for none), and the body that was sent. */
export function orderDigest(route, key, body) {
    const stated = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    return hex(sha256(utf8(`casino order 1\nroute: ${route}\nkey: ${key}\nbody: ${canonical(stated)}\n`)));
}
