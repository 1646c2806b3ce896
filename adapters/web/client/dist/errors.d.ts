import type { components } from "./contract.js";
type Failure = components["schemas"]["Error"];
/** The code of a refusal. Codes are stable, messages may change. */
export type ErrorCode = components["schemas"]["ErrorCode"];
/** The service refused a call. */
export declare class Refusal extends Error {
    readonly name: string;
    /** The call, such as "POST /play". */
    readonly call: string;
    /** The HTTP status. */
    readonly status: number;
    /** The contract's code, or null if another server answered, such as a proxy. */
    readonly code: ErrorCode | null;
    /** Facts for programs: the refused field, a limit, a time. */
    readonly details: Failure["details"];
    /** Names the request in the service's log. */
    readonly requestId: string;
    /** The wait before the next attempt in milliseconds; null if the service gave none. */
    readonly retryAfterMs: number | null;
    /** The key that the call was sent under; under it the call happens at most once. */
    readonly idempotencyKey: string | null;
    constructor(call: string, response: Response, failure: Partial<Failure>, idempotencyKey: string | null);
}
/** The call's session is over or never existed: sign in again. */
export declare class SessionEnded extends Refusal {
    readonly name = "SessionEnded";
}
/** No answer came. A call that moves money may have happened nevertheless: send it again under
 * its key to get the first answer. */
export declare class NoAnswer extends Error {
    readonly name = "NoAnswer";
    readonly call: string;
    readonly idempotencyKey: string | null;
    constructor(call: string, idempotencyKey: string | null, cause: unknown);
}
/** The failure in a response that refuses a call. */
export declare function refusal(call: string, response: Response, text: string, signedIn: boolean, idempotencyKey: string | null): Refusal;
export {};
