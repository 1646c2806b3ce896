import type { SignedHead } from "./receipts.js";
/** Compares each block with those that came before it. */
export declare class Blocks {
    private readonly seen;
    /** The line of another block than the one with this hash at a place, null if there is none. */
    other(ledger: string, lane: bigint, seq: bigint, hash: string): number | null;
    /** Adds a block; returns how it contradicts an earlier one, and where that is, or null. */
    add(line: number, { ledger, lane, seq, header, previous }: SignedHead): {
        line: number;
        what: string;
    } | null;
}
