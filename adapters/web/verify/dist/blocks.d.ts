import type { SignedHead } from "./receipts.js";
/** Compares each block with those that came before it. */
export declare class Blocks {
    private readonly seen;
    /** The line with another block of a place than the one of this hash, null if there is none. */
    otherThan(ledger: string, lane: bigint, seq: bigint, hash: string): number | null;
    /** Adds a block; returns how it contradicts an earlier one, and where that is, or null. */
    add(line: number, { ledger, lane, seq, header, previous }: SignedHead): {
        line: number;
        what: string;
    } | null;
}
