import { type Json } from "./json.js";
import { type ReceiptKeys } from "./signatures.js";
type Members = {
    [name: string]: Json;
};
/** Why a receipt does not verify, in plain words. */
export declare class ReceiptFault extends Error {
}
/** The header of a block whose signature was verified. */
export interface SignedHead {
    ledger: string;
    lane: bigint;
    seq: bigint;
    header: string;
    previous: string;
}
export interface ReceiptVerdict {
    /** Why it does not verify; null if it does. */
    fault: string | null;
    /** The block, if its signature is good. */
    head: SignedHead | null;
    /** The answer, if it could be read. */
    answer: Members | null;
}
export interface ReceiptReport {
    receipts: number;
    verified: number;
    /** What is wrong, in plain words. */
    findings: string[];
}
/** Verifies one answer with its receipt: a JSON text, or the result of parse. Fails with NoEd25519 where signatures can't be verified. */
export declare function verifyReceipt(line: string | Members, keys: ReceiptKeys, wallet: string): Promise<ReceiptVerdict>;
/** Two signed blocks that contradict each other, by their places in a list, and how. */
export interface Contradiction {
    first: number;
    second: number;
    what: string;
}
/** Finds two headers of one block, and blocks that don't follow the one before. */
export declare function contradictions(heads: (SignedHead | null)[]): Contradiction[];
/** The members in which two showings of a settled round differ. */
export declare function differencesOf(mine: Members, other: Members): string[];
/** The answer of a receipt that verifies, and its block. */
export interface Verified {
    number: number;
    answer: Members;
    head: SignedHead;
}
/** Verifies receipts of a wallet: one JSON text, or one a line. With a history (answers of
 * GET /history or GET /history/{id}) it compares their rounds. More checks of those that verify
 * return findings. */
export declare function checkReceipts(file: string, keys: ReceiptKeys, wallet: string, history?: string, ...more: ((verified: Verified[]) => Promise<string[]>)[]): Promise<ReceiptReport>;
export {};
