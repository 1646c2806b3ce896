import type { components } from "./contract.js";
type Failure = components["schemas"]["Error"];
/** What the service calls a refusal; it stays the same, messages may change. */
export type ErrorCode = components["schemas"]["ErrorCode"];
/** The service refused a call. */
export declare class Refusal extends Error {
    readonly name: string;
    /** The call, such as "POST /play". */
    readonly call: string;
    /** The HTTP status. */
    readonly status: number;
    /** The contract's code, or null where something before the service answered, such as a proxy. */
    readonly code: ErrorCode | null;
    /** Facts for programs: the field that was refused, a limit, a moment. */
    readonly details: Failure["details"];
    /** Names the request in the service's log. */
    readonly requestId: string;
    /** When to ask again, in milliseconds; null where the service gave no time. */
    readonly retryAfterMs: number | null;
    /** The key that the call was sent under: the same call under it happens once at most. */
    readonly idempotencyKey: string | null;
    constructor(call: string, response: Response, failure: Partial<Failure>, idempotencyKey: string | null);
}
/** The session that a call was sent with is over, or never was: sign in again. */
export declare class SessionEnded extends Refusal {
    readonly name = "SessionEnded";
}
/** No answer came. A call that moves money may have happened all the same: send it again
 * under its key, and the answer is the first one's. */
export declare class NoAnswer extends Error {
    readonly name = "NoAnswer";
    readonly call: string;
    readonly idempotencyKey: string | null;
    constructor(call: string, idempotencyKey: string | null, cause: unknown);
}
/** What a response that refuses means. */
export declare function refusal(call: string, response: Response, text: string, signedIn: boolean, idempotencyKey: string | null): Refusal;
export {};
