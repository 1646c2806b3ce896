/** How often and how long a call is tried. */
export interface Patience {
    /** The maximum number of attempts, including the first one. */
    attempts: number;
    /** The time-out of one attempt. */
    timeoutMs: number;
    /** The longest pause before a repetition; if the service asks for a longer one, the call fails. */
    pauseMaxMs: number;
}
export declare const USUAL: Patience;
/** The pause before another attempt: doubled each time, and randomly up to half shorter, so that
 * clients refused together don't return together. */
export declare function backoff(attempt: number, longest: number): number;
/** The pause before the same request is repeated, or null if it must not be. repeatable means
 * that sending it twice has the same effect as sending it once. */
export declare function pauseAfter(failure: unknown, repeatable: boolean, attempt: number, patience: Patience): number | null;
/** Waits, or fails with the signal's reason. */
export declare function sleep(ms: number, signal?: AbortSignal): Promise<void>;
/** A signal that ends with another one, or after a time without activity. */
export declare class Deadline {
    private readonly ms;
    private readonly of?;
    private readonly controller;
    private readonly stop;
    private timer;
    constructor(ms: number, of?: AbortSignal | undefined);
    get signal(): AbortSignal;
    /** The result of a promise, unless the signal ends first. Node.js may not pass an abort to an
     * answer once its request was collected, so never wait for the answer alone. */
    before<T>(what: Promise<T>): Promise<T>;
    /** Starts the time again. */
    restart(): void;
    /** Stops the time: what follows may take longer. */
    pause(): void;
    /** Aborts the signal's operation, and releases the other signal. */
    end(): void;
}
