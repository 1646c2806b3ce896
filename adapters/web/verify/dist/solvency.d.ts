import { type Json } from "./json.js";
import { type ReceiptKeys } from "./signatures.js";
/** What a statement says of one token. */
export interface Owed {
    token: string;
    available: bigint;
    held: bigint;
    staked: bigint;
    unclaimed: bigint;
}
/** What a verified file proves. */
export interface Solvency {
    wallet: string;
    /** When it was stated, in milliseconds since 1970. */
    time: bigint;
    /** The newest block of each lane at that time. */
    heads: {
        lane: bigint;
        seq: bigint;
        hash: string;
    }[];
    ledger: string;
    /** What was counted as the wallet's, in each token in which anything was. */
    owed: Owed[];
}
/** Verifies an answer of GET /account/solvency. Fails with StatementFault, which says why it proves nothing. */
export declare function verifySolvency(answer: Json, keys: ReceiptKeys): Promise<Solvency>;
