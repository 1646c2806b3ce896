/** The commitment to a server seed: serverSeedHash must have been this before the round. */
export declare function commitment(serverSeed: string): string;
/** The authenticated message of a block of draws. */
export declare function message(clientSeed: string, nonce: bigint, cursor: number): string;
/** A block of 32 bytes, which are eight draws. */
export declare function block(serverSeed: string, clientSeed: string, nonce: bigint, cursor: number): Uint8Array;
/** A step for display: the draw k, and its result. */
export interface Step {
    /** Its block. */
    cursor: number;
    /** Its four bytes in the block, in hexadecimal digits. */
    bytes: string;
    /** The same as a number: k. */
    draw: bigint;
    /** For pick(n): n, and the resulting number. */
    of?: bigint;
    pick?: bigint;
    /** The meaning of that number, if its game gives one: a card, a tile, a colour. */
    gives?: string;
}
/** The draws of a round in order. */
export declare class Draws {
    private readonly serverSeed;
    private readonly clientSeed;
    private readonly nonce;
    readonly blocks: Uint8Array[];
    readonly steps: Step[];
    constructor(serverSeed: string, clientSeed: string, nonce: bigint);
    /** The next whole draw k of 0 … 2^32-1. */
    next(): bigint;
    /** The next draw as a number of 0 … n-1: ⌊k · n / 2^32⌋. means is only for displaying the steps. */
    pick(n: bigint, means?: (pick: bigint) => string): bigint;
    /** Distinct numbers of 0 … n-1, in the order of their draws. */
    without(n: number, count: number, means?: (number: bigint) => string): bigint[];
    private take;
}
