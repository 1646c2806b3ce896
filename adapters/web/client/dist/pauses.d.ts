/** How often and how long a call is tried. */
export interface Patience {
    /** How many times a call is sent at most, the first one included. */
    attempts: number;
    /** How long one answer may take. */
    timeoutMs: number;
    /** How long to wait before a call is sent again at most: a service that asks for longer has refused. */
    pauseMaxMs: number;
}
export declare const USUAL: Patience;
/** The pause before another attempt: doubled each time, and by chance up to half shorter, so
 * that clients which were refused together don't come back together. */
export declare function backoff(attempt: number, longest: number): number;
/** How long to wait before the same request is sent again, or null where it must not be.
 * repeatable says that sending it twice does what sending it once does. */
export declare function pauseAfter(failure: unknown, repeatable: boolean, attempt: number, patience: Patience): number | null;
/** Waits, or fails with the signal's reason. */
export declare function sleep(ms: number, signal?: AbortSignal): Promise<void>;
/** A signal that ends with another one, or when nothing has happened for a time. */
export declare class Deadline {
    private readonly ms;
    private readonly of?;
    private readonly controller;
    private readonly stop;
    private timer;
    constructor(ms: number, of?: AbortSignal | undefined);
    get signal(): AbortSignal;
    /** What comes of a promise, unless the signal ends before it does. Node.js may tell an answer
     * nothing of its signal once the request was collected, so nobody waits for the answer alone. */
    before<T>(what: Promise<T>): Promise<T>;
    /** Begins the time anew. */
    restart(): void;
    /** Ends the time: what goes on is no matter of it. */
    pause(): void;
    /** Gives up what the signal is for, and lets go of the other one. */
    end(): void;
}
