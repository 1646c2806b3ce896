import type { AnyOptions } from "./calls.js";
import { type Patience } from "./pauses.js";
/** What a client may be given beside the service's address. */
export interface Settings extends Partial<Patience> {
    /** What requests are sent with: the global fetch, unless it is another one. */
    fetch?: typeof fetch;
}
/** A request that is sent with other headers than the usual ones. */
export interface Sent extends AnyOptions {
    headers?: Record<string, string>;
}
export declare class Connection {
    readonly patience: Patience;
    private readonly base;
    private readonly send;
    constructor(base: string, settings?: Settings);
    /** The text of an answer, after as many attempts as the call allows. Every attempt carries
     * the same key. */
    text(call: string, options: Sent, token: string | null): Promise<string>;
    private once;
    /** Sends a request once. */
    fetch(call: string, options: Sent, token: string | null, key: string | null, signal: AbortSignal): Promise<Response>;
    private address;
}
/** A key that nobody else draws. randomUUID isn't there in pages that came over plain HTTP. */
export declare function newKey(): string;
