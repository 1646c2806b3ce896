import { type Bet, type Members, type PublishedGame } from "./bets.js";
import type { CheckName, Findings } from "./findings.js";
import { type Json } from "./json.js";
import type { Selection } from "./selection.js";
import { SharedBets } from "./sharedbets.js";
/** A round as the service answered it, until it is read again. */
export interface Played {
    line: number;
    bet: Bet;
    /** The settled round. */
    round: Members;
    /** The answers while it was open, with their lines. */
    open: {
        line: number;
        round: Members;
    }[];
    hasReceipt: boolean;
    /** The balance of the answer. */
    balance: bigint;
}
/** The bets that were declined at one nonce. */
export interface Declined {
    line: number;
    nonce: bigint;
    bets: Bet[];
}
export interface Pair {
    line: number;
    commitment: string;
    clientSeed: string;
    /** The nonce of the first round that the capture can have of it. */
    base: bigint;
    rounds: Played[];
    declined: Declined[];
    /** A void round ended it. */
    ended: boolean;
    /** The seed that was shown as its own, if it has its hash. */
    serverSeed: string | null;
}
/** A round that has not ended. */
interface Open {
    bet: Bet;
    open: {
        line: number;
        round: Members;
    }[];
}
/** What the whole file has. */
export interface Shared {
    findings: Findings;
    selection: Selection;
    token: string;
    published: Map<string, PublishedGame>;
    variances: Map<bigint, number>;
    /** Rounds' ids, revealed seeds, commitments and chosen client seeds, none of which may come twice. */
    ids: Set<string>;
    seeds: Set<string>;
    commitments: Set<string>;
    clientSeeds: Set<string>;
    /** The maxPayout that openings state, with their lines, until the last published limits are known. */
    maxPayouts: {
        line: number;
        maxPayout: bigint;
    }[];
    rounds: number;
    pairs: number;
}
/** A member that a line has in another form. */
export declare class Malformed extends Error {
}
export declare function objectOf(of: Json | undefined, name: string): Members;
export declare function textOf(of: Members, name: string): string;
export declare function wholeOf(of: Members, name: string): bigint;
export declare class Seat {
    private readonly number;
    private readonly shared;
    pair: Pair | null;
    balance: bigint | null;
    /** The balances of answers with a receipt, with its block. */
    readonly proved: {
        line: number;
        lane: bigint;
        seq: bigint;
        balance: bigint;
    }[];
    opened: Open | null;
    readonly bets: SharedBets;
    /** The commitment of the pair after the present one, once it was shown. */
    private next;
    /** The bets that were declined at the waiting nonce. */
    private waiting;
    /** The last bet got no answer: it may have been played. */
    private maybePlayed;
    private readonly unrevealed;
    /** Rounds that were not read again yet. */
    private readonly awaiting;
    constructor(number: bigint, shared: Shared);
    private found;
    expect(holds: boolean, check: CheckName, line: number, text: string): boolean;
    /** The nonce of the next round. */
    get nonce(): bigint;
    /** An answer of GET /seed. */
    seed(line: number, answer: Members): void;
    /** An answer of POST /seed/rotate. */
    rotate(line: number, chosen: Json | undefined, answer: Members): void;
    private begin;
    /** Goes on with the promised pair, once an answer names it, after a void round ended the one before. */
    private passOn;
    private reveal;
    private judge;
    /** Notes the bets that were declined at a nonce that no other bet gets. */
    private endNonce;
    /** A bet that was refused or got no answer. */
    decline(bet: Bet, answered: boolean): void;
    /** An answer of POST /play. */
    play(line: number, at: bigint, bet: Bet, answer: Members, hasReceipt: boolean): void;
    /** An answer of POST /rounds. */
    open(line: number, at: bigint, bet: Bet, answer: Members, hasReceipt: boolean): void;
    /** An answer of POST /rounds/{id}/steps. */
    step(line: number, at: bigint, sent: Json | undefined, answer: Members, hasReceipt: boolean): void;
    /** The published game of a round; rounds of others can't be checked. */
    private publishedOf;
    private compareBet;
    compareTime(line: number, at: bigint, round: Members, name?: string): void;
    /** A round that has ended. */
    private settle;
    /** A balance after it moved by an amount. */
    move(line: number, answer: Members, by: bigint): void;
    /** An answer of GET /balance. */
    balanced(line: number, answer: Members): void;
    /** An answer of GET /history/{id}. */
    kept(line: number, answer: Members): void;
    /** The end of the file. */
    end(line: number): void;
}
export {};
