import type { Verified } from "./receipts.js";
/** The memo of a transaction, and the public key that paid for it and signed it. */
export interface Memo {
    text: string;
    payer: Uint8Array;
}
/** The question to a node for a transaction. */
export declare function memoRequest(signature: string): string;
/** Reads the memo in the answer of a node; null if there is no such transaction with one memo. */
export declare function readMemo(text: string): Promise<Memo | null>;
/** Follows verified receipts to the log that the memo of a transaction states, and returns findings. The keys are an answer of GET /public/keys. */
export declare function checkAnchor(signature: string, memo: Memo | null, keys: string, receipts: Verified[]): string[];
