// The signed blocks of many receipts, which have to be those of one history.
import { hex, sha256 } from "./sha256.js";
import { utf8 } from "./signatures.js";
/** Compares each block with those that came before it. */
export class Blocks {
    seen = new Map();
    /** The line with another block of a place than the one of this hash, null if there is none. */
    otherThan(ledger, lane, seq, hash) {
        const seen = this.seen.get(`${lane} ${seq} ${ledger}`);
        return seen === undefined || seen.hash === hash ? null : seen.line;
    }
    /** Adds a block; returns how it contradicts an earlier one, and where that is, or null. */
    add(line, { ledger, lane, seq, header, previous }) {
        const at = (of) => `${lane} ${of} ${ledger}`;
        const hash = hex(sha256(utf8(header)));
        const same = this.seen.get(at(seq));
        if (same !== undefined)
            return same.hash === hash ? null : { line: same.line, what: `they have different blocks for lane ${lane}, seq ${seq}` };
        this.seen.set(at(seq), { line, hash, previous });
        const before = this.seen.get(at(seq - 1n));
        if (before !== undefined && before.hash !== previous)
            return { line: before.line, what: `the block of lane ${lane}, seq ${seq} does not follow the other` };
        const after = this.seen.get(at(seq + 1n));
        if (after !== undefined && after.previous !== hash)
            return { line: after.line, what: `the block of lane ${lane}, seq ${seq + 1n} does not follow the other` };
        return null;
    }
}
