import type { Bet, Members } from "./bets.js";
import { type ReceiptKeys } from "./signatures.js";
/** What is known about a bet when it is refused. */
export interface Circumstances {
    /** The player's wallet, null where it isn't known. */
    wallet: string | null;
    /** The commitment and the waiting nonce of the pair, null where they aren't known. */
    commitment: string | null;
    nonce: bigint;
    balance: bigint | null;
    /** The rounds that were open, null where they aren't known. */
    openRounds: bigint | null;
    /** When the answer came, in milliseconds since 1970. */
    at: bigint;
    /** The most that the bet could pay where maxPayout is the limit, null if it isn't known. */
    couldPay: (maxPayout: bigint) => bigint | null;
}
/** The limits that a refusal states. */
export interface StatedLimits {
    token: string;
    minWager: bigint;
    maxWager: bigint;
    maxPayout: bigint;
}
export interface Judgement {
    faults: string[];
    /** The stated limits, null if there is no valid statement. */
    limits: StatedLimits | null;
}
/** Whether a refusal with this error has to be signed. */
export declare function mustBeSigned(error: Members): boolean;
/** Judges the refusal of a bet. */
export declare function judgeRefusal(bet: Bet, error: Members, keys: ReceiptKeys, known: Circumstances): Promise<Judgement>;
