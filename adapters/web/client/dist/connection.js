// The connection to one service: addresses, headers, keys, and repeating requests without an
// answer.
import { NoAnswer, refusal } from "./errors.js";
import { stringify } from "./json.js";
import { keyed } from "./operations.js";
import { Deadline, pauseAfter, sleep, USUAL } from "./pauses.js";
/** The calls that may be repeated although their method changes data: they only read, or they
 * name their effect so exactly that the service recognizes a repetition. */
const REPEATABLE = new Set([
    "POST /deposit", "POST /deposit/transaction", "POST /public/games/{gameType}/return", "POST /public/verify", "POST /rounds/{id}/steps",
]);
export class Connection {
    patience;
    base;
    send;
    receipts;
    constructor(base, settings = {}) {
        const { fetch: send, receipts, ...patience } = settings;
        this.base = base.replace(/\/+$/, "");
        this.send = send ?? ((...what) => globalThis.fetch(...what));
        this.receipts = receipts ?? false;
        this.patience = { ...USUAL, ...patience };
    }
    /** The text of an answer, after as many attempts as the call allows. All attempts carry the
     * same key. */
    async text(call, options, token) {
        const key = keyed.has(call) ? (options.idempotencyKey ?? newKey()) : null;
        const again = key !== null || /^(GET|PUT) /.test(call) || REPEATABLE.has(call);
        for (let attempt = 1;; attempt++) {
            try {
                return await this.once(call, options, token, key);
            }
            catch (failure) {
                options.signal?.throwIfAborted();
                const pause = pauseAfter(failure, again, attempt, this.patience);
                if (pause === null)
                    throw failure;
                await sleep(pause, options.signal);
            }
        }
    }
    async once(call, options, token, key) {
        const deadline = new Deadline(this.patience.timeoutMs, options.signal);
        let response;
        let text;
        try {
            response = await deadline.before(this.fetch(call, options, token, key, deadline.signal));
            text = await deadline.before(response.text());
        }
        catch (cause) {
            throw new NoAnswer(call, key, cause);
        }
        finally {
            deadline.end();
        }
        if (!response.ok)
            throw refusal(call, response, text, token !== null, key);
        return text;
    }
    /** Sends a request once. */
    fetch(call, options, token, key, signal) {
        const headers = new Headers(options.headers);
        if (token !== null)
            headers.set("Authorization", `Bearer ${token}`);
        if (this.receipts && call.startsWith("POST "))
            headers.set("Prefer", "receipt");
        if (key !== null)
            headers.set("Idempotency-Key", key);
        const request = { method: call.slice(0, call.indexOf(" ")), headers, signal, cache: "no-store", credentials: "omit", redirect: "error" };
        if (options.body !== undefined) {
            headers.set("Content-Type", "application/json");
            request.body = stringify(options.body);
        }
        return this.send(this.address(call, options), request);
    }
    address(call, options) {
        let path = call.slice(call.indexOf(" ") + 1);
        for (const [name, value] of Object.entries(options.path ?? {}))
            path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries(options.query ?? {})) {
            if (value !== undefined)
                query.set(name, String(value));
        }
        return this.base + path + (query.size > 0 ? `?${query}` : "");
    }
}
/** A unique key. randomUUID is missing in pages over plain HTTP. */
export function newKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
