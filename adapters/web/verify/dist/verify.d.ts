import { Decimal } from "./decimal.js";
import { type Step } from "./draws.js";
import type { Fraction } from "./fraction.js";
import { type Json } from "./json.js";
/** Everything that decides a round. */
export interface Inputs {
    rules: string;
    /** A JSON text, or what parse made of one. */
    config: Json;
    serverSeed: string;
    clientSeed: string;
    nonce: bigint | number;
    /** What was done in a round that was played step by step, in the same form; null for one that was decided in one call. */
    actions?: Json;
}
export interface Recomputed {
    outcome: {
        [name: string]: Json;
    };
    multiplier: Decimal;
    /** The multiplier where a decimal may not show it wholly. */
    exact?: Fraction;
    /** What the bets of the config add up to, where it has any: the wager. */
    sum?: bigint;
    /** How many first wagers were staked, where it may be more than one: the wager is one so many times. */
    staked?: bigint;
    commitment: string;
}
/** The way from seeds to the result, for a page that shows it. */
export interface Steps extends Recomputed {
    blocks: {
        message: string;
        hmac: string;
    }[];
    draws: Step[];
}
/** What differs: what the round says, and what its seeds decide. Both are JSON. */
export interface Difference {
    name: "serverSeedHash" | "outcome" | "multiplier" | "wager" | "payout";
    said: string;
    is: string;
}
export interface Verdict {
    verified: boolean;
    differences: Difference[];
    /** The round says that nothing could be drawn; what its seeds decide wasn't compared. */
    void: boolean;
}
/** What the seeds decide, with the blocks and draws that it came from. */
export declare function steps(inputs: Inputs): Steps;
/** What the seeds decide. */
export declare function recompute(inputs: Inputs): Recomputed;
/**
 * Compares a round with what its seeds decide: the JSON text that GET /history/{id}
 * answers, or what parse made of it. Throws Unverifiable where it can't be compared.
 */
export declare function verify(text: Json): Verdict;
/** What a round says of what decides it. */
export declare function inputsOf(answer: Json): Inputs;
