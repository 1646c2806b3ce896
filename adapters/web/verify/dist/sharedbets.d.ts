import type { Members } from "./bets.js";
import { type Json } from "./json.js";
import { type Seat } from "./seats.js";
export declare class SharedBets {
    private readonly seat;
    /** The round before the bet, and the last one that was read after its end. */
    private before;
    private ended;
    /** The bet that has no result yet, as it was last answered. */
    private bet;
    constructor(seat: Seat);
    /** An answer of GET /crash before a bet. */
    look(line: number, answer: Members): void;
    /** An answer of POST /crash/bets. */
    place(line: number, at: bigint, sent: Json | undefined, answer: Members, ids: Set<string>): void;
    /** An answer of POST /crash/cashout. */
    cashOut(line: number, at: bigint, answer: Members): void;
    private answered;
    /** An answer of GET /crash/rounds/{number} after the end. */
    settle(line: number, answered: Members): void;
    /** The end of the file. */
    end(): void;
}
