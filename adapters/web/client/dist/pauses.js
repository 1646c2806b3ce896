// When a call is sent again, and after how long.
import { NoAnswer, Refusal } from "./errors.js";
export const USUAL = { attempts: 5, timeoutMs: 30_000, pauseMaxMs: 20_000 };
const FIRST_PAUSE_MS = 250;
/** The pause before another attempt: doubled each time, and by chance up to half shorter, so
 * that clients which were refused together don't come back together. */
export function backoff(attempt, longest) {
    const whole = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), longest);
    return whole * (1 - Math.random() / 2);
}
/** How long to wait before the same request is sent again, or null where it must not be.
 * repeatable says that sending it twice does what sending it once does. */
export function pauseAfter(failure, repeatable, attempt, patience) {
    if (attempt >= patience.attempts)
        return null;
    if (failure instanceof NoAnswer)
        return repeatable ? backoff(attempt, patience.pauseMaxMs) : null;
    if (!(failure instanceof Refusal) || !mayRepeat(failure, repeatable))
        return null;
    if (failure.retryAfterMs === null)
        return backoff(attempt, patience.pauseMaxMs);
    return failure.retryAfterMs <= patience.pauseMaxMs ? failure.retryAfterMs : null;
}
function mayRepeat(failure, repeatable) {
    if (failure.status === 429)
        return true; // refused before anything was done
    const { outcome, status } = failure.details;
    if (failure.code === "UNAVAILABLE")
        return status !== "notProvided" && (repeatable || outcome === "none");
    // A gateway answered for the service, of which nothing is known.
    return failure.code === null && [502, 503, 504].includes(failure.status) && repeatable;
}
/** Waits, or fails with the signal's reason. */
export function sleep(ms, signal) {
    return new Promise((done, fail) => {
        signal?.throwIfAborted();
        const stop = () => {
            clearTimeout(timer);
            fail(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            done();
        }, ms);
        signal?.addEventListener("abort", stop, { once: true });
    });
}
/** A signal that ends with another one, or when nothing has happened for a time. */
export class Deadline {
    ms;
    of;
    controller = new AbortController();
    stop = () => this.controller.abort(this.of?.reason);
    timer;
    constructor(ms, of) {
        this.ms = ms;
        this.of = of;
        of?.throwIfAborted();
        of?.addEventListener("abort", this.stop, { once: true });
        this.restart();
    }
    get signal() {
        return this.controller.signal;
    }
    /** What comes of a promise, unless the signal ends before it does. Node.js may tell an answer
     * nothing of its signal once the request was collected, so nobody waits for the answer alone. */
    before(what) {
        return new Promise((done, fail) => {
            const { signal } = this;
            const stop = () => fail(signal.reason);
            signal.addEventListener("abort", stop, { once: true });
            if (signal.aborted)
                stop();
            what.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
        });
    }
    /** Begins the time anew. */
    restart() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.controller.abort(new DOMException("nothing came in time", "TimeoutError")), this.ms);
    }
    /** Ends the time: what goes on is no matter of it. */
    pause() {
        clearTimeout(this.timer);
    }
    /** Gives up what the signal is for, and lets go of the other one. */
    end() {
        this.pause();
        this.of?.removeEventListener("abort", this.stop);
        this.controller.abort();
    }
}
