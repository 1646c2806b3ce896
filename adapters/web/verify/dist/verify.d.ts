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
/** The way from seeds to the result, for whoever follows it. */
export interface Steps extends Recomputed {
    blocks: {
        message: string;
        hmac: string;
    }[];
    draws: Step[];
}
/** What differs: what the round says, and what its seeds decide. Both are JSON. */
export interface Difference {
    name: "config" | "serverSeedHash" | "outcome" | "multiplier" | "wager" | "payout";
    said: string;
    is: string;
}
export interface Verdict {
    verified: boolean;
    differences: Difference[];
    /** The round says that nothing could be drawn; what its seeds decide wasn't compared. */
    void: boolean;
}
/** Something that was compared, be it the same or not. */
export interface Check extends Difference {
    same: boolean;
}
/** A verdict with the whole way to it. */
export interface Trace extends Verdict {
    inputs: Inputs;
    /** What the seeds decide, by blocks and draws; null of a void round, of which nothing was drawn. */
    steps: Steps | null;
    /** Where the round's opening is known its config, then commitment, outcome, multiplier, wager and payout, in the order in which they follow. */
    checks: Check[];
}
/** What is fixed of a round before its server seed is revealed, or after. */
export interface Commitment {
    /** That of the server seed: it was shown before the round. */
    serverSeedHash: string;
    clientSeed: string;
    nonce: bigint;
    /** What is authenticated for its first block. */
    message: string;
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
/** The same with everything on the way: what was drawn, and all that was compared. */
export declare function trace(text: Json): Trace;
/** What a round doesn't prove, and of a void one what its seeds would have paid, in sentences for people. */
export declare function notes(text: Json): string[];
/** What a round is bound to, which can be held against what was shown before it at any time. */
export declare function committed(text: Json): Commitment;
/** What a round says of what decides it. */
export declare function inputsOf(answer: Json): Inputs;
/** The round itself, of a JSON text or of what parse made of one: GET /history/{id} answers it as the member round. */
export declare function roundOf(text: Json): {
    [name: string]: Json;
};
