// Merkle trees of RFC 6962, as docs/fairness/receipts.md has them.
import {} from "./json.js";
import { hex, sha256 } from "./sha256.js";
import { base64, joined } from "./signatures.js";
export const HASH_BYTES = 32;
/** The hashes of a list of base64 texts, null for another value. */
export function hashesOf(list) {
    const hashes = Array.isArray(list) ? list.map((item) => base64(item, HASH_BYTES)) : [null];
    return hashes.includes(null) ? null : hashes;
}
export const nodeHash = (left, right) => sha256(joined(Uint8Array.of(1), left, right));
/** The root to which an audit path leads, in hexadecimal; null if it is no path of the index. */
export function rootOf(leaf, index, size, path) {
    if (index >= size)
        return null;
    let node = sha256(joined(Uint8Array.of(0), leaf));
    let used = 0;
    for (let last = size - 1n; last > 0n; index /= 2n, last /= 2n) {
        if (index % 2n === 0n && index === last)
            continue;
        const other = path[used++];
        if (other === undefined)
            return null;
        node = index % 2n === 1n ? nodeHash(other, node) : nodeHash(node, other);
    }
    return used === path.length ? hex(node) : null;
}
