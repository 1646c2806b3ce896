import type { Schemas } from "./calls.js";
type Seed = Pick<Schemas["Seed"], "serverSeedHash" | "nonce" | "clientSeedSource">;
type Drawn = Pick<Schemas["Round"], "serverSeedHash" | "nonce"> & {
    outcome?: unknown;
    status?: string;
};
/** What a bet says of the pair that it expects. */
export interface Expected {
    expectedServerSeedHash: string;
    expectedNonce: number;
}
/** How the pair is read, and how the next one is begun. */
export interface Seeds {
    read: () => Promise<Seed>;
    rotate: (body: {
        clientSeed: string;
        expectedServerSeedHash: string;
    }) => Promise<{
        seed: Seed;
    }>;
}
/** A client seed that nobody can guess: 128 random bits. */
export declare function newClientSeed(): string;
/** The pair of one session. Its bets are sent one after another, each with the pair and the
 * nonce that it expects. A pair whose client seed isn't the player's is rotated before, with a
 * random one, unless rounds are open that are drawn from it. */
export declare class ExpectedPair {
    private readonly seeds;
    private known;
    private last;
    constructor(seeds: Seeds);
    /** Sends a bet. Where the pair is another one than expected, because it ended or another
     * device bet, it is read again, and the bet is sent once more. A bet without an answer leaves
     * the expectation as it is, so that sending it again under its key repeats it. */
    bet<T extends {
        round: Drawn;
    }>(send: (expected: Expected) => Promise<T>): Promise<T>;
    /** Has the next bet read the pair again: it was rotated, or somebody else signed in. */
    forget(): void;
    private attempt;
    /** A repeated answer is of an earlier nonce, and changes nothing. A void round ends its pair. */
    private follow;
    private begin;
}
export {};
