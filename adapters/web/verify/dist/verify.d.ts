import { Decimal } from "./decimal.js";
import { type Step } from "./draws.js";
import type { Fraction } from "./fraction.js";
import { type Json } from "./json.js";
/** All inputs that decide a round. */
export interface Inputs {
    rules: string;
    /** A JSON text, or the result of parse. */
    config: Json;
    serverSeed: string;
    clientSeed: string;
    nonce: bigint | number;
    /** The actions of a step-by-step round, in the same form; null for a round in one call. */
    actions?: Json;
}
export interface Recomputed {
    outcome: {
        [name: string]: Json;
    };
    multiplier: Decimal;
    /** The multiplier as a fraction, if a decimal may not be exact. */
    exact?: Fraction;
    /** The sum of the config's bets, if it has any; it must equal the wager. */
    sum?: bigint;
    /** The number of first wagers staked, if there may be several; the wager is their sum. */
    staked?: bigint;
    commitment: string;
}
/** The steps from seeds to the result, for display. */
export interface Steps extends Recomputed {
    blocks: {
        message: string;
        hmac: string;
    }[];
    draws: Step[];
}
/** A difference: the round's value, and the one that its seeds give. Both are JSON. */
export interface Difference {
    name: "config" | "serverSeedHash" | "outcome" | "multiplier" | "wager" | "payout";
    said: string;
    is: string;
}
export interface Verdict {
    verified: boolean;
    differences: Difference[];
    /** The round is void; only the refund was compared. */
    void: boolean;
}
/** A compared value, equal or not. */
export interface Check extends Difference {
    same: boolean;
}
/** A verdict with all its steps. */
export interface Trace extends Verdict {
    inputs: Inputs;
    /** The result of the seeds, with blocks and draws; null for a void round, which drew nothing. */
    steps: Steps | null;
    /** Where the round's opening is known its config, then commitment, outcome, multiplier, wager and payout, in the order in which they follow. */
    checks: Check[];
}
/** The parts of a round that are fixed even before its server seed is revealed. */
export interface Commitment {
    /** The hash of the server seed, shown before the round. */
    serverSeedHash: string;
    clientSeed: string;
    nonce: bigint;
    /** The authenticated message of its first block. */
    message: string;
}
/** The result of the seeds, with its blocks and draws. */
export declare function steps(inputs: Inputs): Steps;
/** The result of the seeds. */
export declare function recompute(inputs: Inputs): Recomputed;
/**
 * Compares a round with the result of its seeds. text is the JSON text of GET /history/{id}, or the
 * result of parse. Throws Unverifiable if the round can't be compared.
 */
export declare function verify(text: Json): Verdict;
/** The same with all steps: the draws, and every comparison. */
export declare function trace(text: Json): Trace;
/** The config that a round was opened with, by the published function of what was asked for: members asked, wager and maxPayout. */
export declare function openedBound(rules: string, opened: {
    [name: string]: Json;
}): Json;
/** What a round doesn't prove, and of a void one what its seeds would have paid, in sentences for people. */
export declare function notes(text: Json): string[];
/** What a round is bound to, which can be held against what was shown before it at any time. */
export declare function committed(text: Json): Commitment;
/** The inputs in a round. */
export declare function inputsOf(answer: Json): Inputs;
/** The round itself, from a JSON text or the result of parse; GET /history/{id} returns it as
 * the member round. */
export declare function roundOf(text: Json): {
    [name: string]: Json;
};
