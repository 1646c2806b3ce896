import type { Fraction } from "./fraction.js";
import { type Json } from "./json.js";
import type { Rules } from "./rules.js";
export type Members = {
    [name: string]: Json;
};
/** A bet that was sent with POST /play, or with POST /rounds. */
export interface Bet {
    line: number;
    route: "/play" | "/rounds";
    /** What was sent, and as key its Idempotency-Key. */
    asked: Members;
    game: string;
    token: string;
    wager: bigint;
    /** The number of its config in the capture. */
    config: bigint | null;
}
/** A game as GET /public/games has it. */
export interface PublishedGame {
    rules: string;
    defaults: Members;
    /** The defaults of rounds that are played step by step. */
    stepDefaults: Members;
    members: Members;
}
/** Reads a bet as it was sent; null if it is none. */
export declare function betOf(line: number, sent: Json | undefined, config: Json | undefined, bySteps: boolean): Bet | null;
/** The config that a bet asks for, with the published defaults. Bets that are left out stand for one of the whole wager. */
export declare function configOf(bet: Bet, published: PublishedGame): Members;
/** The published games, by their gameType. */
export declare function publishedGames(answer: Json | undefined): Map<string, PublishedGame>;
/** The rules of a bet. */
export declare function rulesOf(published: PublishedGame): Rules;
/** The config that a bet is played by: of a stepped round, the bounded one. */
export declare function playedConfig(bet: Bet, published: PublishedGame, maxPayout: bigint): Json;
/** The most that a bet can pay. MAX stands for more than any amount, and for a round that can't be opened within its bound; null is unknown. */
export declare function couldPay(bet: Bet, published: PublishedGame, maxPayout: bigint, greatestKnown: Fraction | null): bigint | null;
