// Failures of a call: the service refused it, the session is over, or no answer came.
import { parse } from "./json.js";
/** The service refused a call. */
export class Refusal extends Error {
    name = "Refusal";
    /** The call, such as "POST /play". */
    call;
    /** The HTTP status. */
    status;
    /** The contract's code, or null if another server answered, such as a proxy. */
    code;
    /** Facts for programs: the refused field, a limit, a time. */
    details;
    /** Names the request in the service's log. */
    requestId;
    /** The wait before the next attempt in milliseconds; null if the service gave none. */
    retryAfterMs;
    /** The key that the call was sent under; under it the call happens at most once. */
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
/** The call's session is over or never existed: sign in again. */
export class SessionEnded extends Refusal {
    name = "SessionEnded";
}
/** No answer came. A call that moves money may have happened nevertheless: send it again under
 * its key to get the first answer. */
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
/** The failure in a response that refuses a call. */
export function refusal(call, response, text, signedIn, idempotencyKey) {
    let failure = {};
    try {
        const read = parse(text);
        if (typeof read === "object" && read !== null && "code" in read)
            failure = read;
    }
    catch {
        // A server between the service and the client answered: only the status is known.
    }
    const of = response.status === 401 && signedIn ? SessionEnded : Refusal;
    return new of(call, response, failure, idempotencyKey);
}
