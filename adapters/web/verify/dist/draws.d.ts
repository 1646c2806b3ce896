/** The commitment to a server seed: what serverSeedHash must have been before the round. */
export declare function commitment(serverSeed: string): string;
/** What is authenticated for a block of draws. */
export declare function message(clientSeed: string, nonce: bigint, cursor: number): string;
/** A block of 32 bytes, which are eight draws. */
export declare function block(serverSeed: string, clientSeed: string, nonce: bigint, cursor: number): Uint8Array;
/** A step that a page can show: the draw k, and what was made of it. */
export interface Step {
    /** The block that it is of. */
    cursor: number;
    /** Its four bytes there, as hexadecimal digits. */
    bytes: string;
    /** The same as a number: k. */
    draw: bigint;
    /** Where it was taken as pick(n): n, and the number that it gave. */
    of?: bigint;
    pick?: bigint;
    /** What that stands for, where its game says so: a card, a tile, a colour. */
    gives?: string;
}
/** The draws of a round, in their order. */
export declare class Draws {
    private readonly serverSeed;
    private readonly clientSeed;
    private readonly nonce;
    readonly blocks: Uint8Array[];
    readonly steps: Step[];
    constructor(serverSeed: string, clientSeed: string, nonce: bigint);
    /** The next whole draw k of 0 … 2^32-1. */
    next(): bigint;
    /** The next draw as a number of 0 … n-1: ⌊k · n / 2^32⌋. What it stands for is for who follows the steps. */
    pick(n: bigint, means?: (pick: bigint) => string): bigint;
    /** Some of the numbers 0 … n-1, none twice, as they are drawn. */
    without(n: number, count: number, means?: (number: bigint) => string): bigint[];
    private take;
}
