/** A bet that the house declined, recomputed once its seed was revealed. */
export interface DeclinedBet {
    game: string;
    /** What it would have paid for one wager. */
    multiplier: number;
    /** The published variance of its config, where one is published. */
    variance: number;
}
/** The bets that were declined at one nonce, in order. They share its draws. */
export interface DeclinedNonce {
    line: number;
    /** Its first draw, 0 … 2^32-1. */
    firstDraw: number;
    bets: DeclinedBet[];
}
/** A test whose probability is below its level. */
export interface Selected {
    line: number;
    game: string;
    test: string;
    probability: number;
}
export declare class Selection {
    private readonly games;
    /** Takes the bets that were declined at a nonce. */
    add({ line, firstDraw, bets }: DeclinedNonce): void;
    /** How many tests there are of the games that declined bets. */
    get tests(): number;
    /** The tests that an honest house passes, by Holm's procedure at the level of all together: three of each captured game, and of all games. */
    findings(captured?: number): Selected[];
    private of;
}
