import type { AnyOptions } from "./calls.js";
import { type Patience } from "./pauses.js";
/** Settings of a client, beside the service's address. */
export interface Settings extends Partial<Patience> {
    /** The function that sends requests; by default the global fetch. */
    fetch?: typeof fetch;
    /** Asks for receipts of bets, steps, rotations, withdrawals and deposits: their answers then have
     * a receipt, where the service has a key for them. To verify one keep the text of the answer. */
    receipts?: boolean;
}
/** A request with other headers than the usual ones. */
export interface Sent extends AnyOptions {
    headers?: Record<string, string>;
}
export declare class Connection {
    readonly patience: Patience;
    private readonly base;
    private readonly send;
    private readonly receipts;
    constructor(base: string, settings?: Settings);
    /** The text of an answer, after as many attempts as the call allows. All attempts carry the
     * same key. */
    text(call: string, options: Sent, token: string | null): Promise<string>;
    private once;
    /** Sends a request once. */
    fetch(call: string, options: Sent, token: string | null, key: string | null, signal: AbortSignal): Promise<Response>;
    private address;
}
/** A unique key. randomUUID is missing in pages over plain HTTP. */
export declare function newKey(): string;
