import type { SignedHead } from "./receipts.js";
/** Compares each block with those that came before it. */
export declare class Blocks {
    private readonly seen;
    /** Adds a block; returns how it contradicts an earlier one, and where that is, or null. */
    add(line: number, { ledger, lane, seq, header, previous }: SignedHead): {
        line: number;
        what: string;
    } | null;
}
