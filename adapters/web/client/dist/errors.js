// How a call fails: the service refused it, the session is over, or no answer came.
import { parse } from "./json.js";
/** The service refused a call. */
export class Refusal extends Error {
    name = "Refusal";
    /** The call, such as "POST /play". */
    call;
    /** The HTTP status. */
    status;
    /** The contract's code, or null where something before the service answered, such as a proxy. */
    code;
    /** Facts for programs: the field that was refused, a limit, a moment. */
    details;
    /** Names the request in the service's log. */
    requestId;
    /** When to ask again, in milliseconds; null where the service gave no time. */
    retryAfterMs;
    /** The key that the call was sent under: the same call under it happens once at most. */
    idempotencyKey;
    constructor(call, response, failure, idempotencyKey) {
        super(failure.message ?? `HTTP ${response.status}`);
        this.call = call;
        this.status = response.status;
        this.code = failure.code ?? null;
        this.details = failure.details ?? {};
        this.requestId = failure.requestId ?? response.headers.get("X-Request-Id") ?? "";
        const after = response.headers.get("Retry-After");
        this.retryAfterMs = after !== null && /^\d+$/.test(after) ? Number(after) * 1000 : null;
        this.idempotencyKey = idempotencyKey;
    }
}
/** The session that a call was sent with is over, or never was: sign in again. */
export class SessionEnded extends Refusal {
    name = "SessionEnded";
}
/** No answer came. A call that moves money may have happened all the same: send it again
 * under its key, and the answer is the first one's. */
export class NoAnswer extends Error {
    name = "NoAnswer";
    call;
    idempotencyKey;
    constructor(call, idempotencyKey, cause) {
        super(`${call}: no answer came`, { cause });
        this.call = call;
        this.idempotencyKey = idempotencyKey;
    }
}
/** What a response that refuses means. */
export function refusal(call, response, text, signedIn, idempotencyKey) {
    let failure = {};
    try {
        const read = parse(text);
        if (typeof read === "object" && read !== null && "code" in read)
            failure = read;
    }
    catch {
        // Something between the service and the client answered: the status says what is known.
    }
    const of = response.status === 401 && signedIn ? SessionEnded : Refusal;
    return new of(call, response, failure, idempotencyKey);
}
