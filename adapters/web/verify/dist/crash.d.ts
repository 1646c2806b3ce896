import { type Json } from "./json.js";
/** The checks of a round, by their names in docs/fairness/shared-crash.md. */
export type CrashCheck = "commitment" | "hash" | "closing" | "bets" | "beacon" | "point" | "result" | "before";
/** The first finalized slot at or after a height, as a node of the network shows it. */
export interface CrashBlock {
    slot: bigint;
    blockhash: string;
    parent: bigint;
}
/** Members of an object: texts, whole numbers, multipliers in hundredths; null for one that is missing. */
type Members = {
    [name: string]: string | bigint | null;
};
/** An answer of GET /crash/rounds/{number}, or of GET /crash, which may have no round. */
export interface CrashAnswer {
    chain: Members;
    round: Members | null;
    bets: Members[];
}
export interface CrashReport {
    findings: {
        check: CrashCheck;
        text: string;
    }[];
    notChecked: string[];
}
/** Reads an answer: a JSON text, or the result of parse. */
export declare function readCrash(text: Json): CrashAnswer;
/** The genesis hash of the Solana cluster whose slots decide a chain's rounds; null if none do. */
export declare const crashNetwork: (answer: CrashAnswer) => string | null;
/** The point of a round in hundredths. */
export declare function crashPoint(hash: string, salt: string): bigint;
/**
 * Verifies a round that has ended. before is an answer that was kept from before, block the first slot
 * of the round's height or later as the network shows it.
 */
export declare function verifyCrash(answer: CrashAnswer, before?: CrashAnswer | null, block?: CrashBlock | null): CrashReport;
/** Reads the first finalized slot at or after a height, by a function that asks a node of the network. */
export declare function readCrashBlock(height: bigint, network: string, ask: (method: string, parameters: Json[]) => Promise<Json>): Promise<CrashBlock>;
export {};
