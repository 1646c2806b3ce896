// When a call is repeated, and after which pause.
import { NoAnswer, Refusal } from "./errors.js";
export const USUAL = { attempts: 5, timeoutMs: 30_000, pauseMaxMs: 20_000 };
const FIRST_PAUSE_MS = 250;
/** The pause before another attempt: doubled each time, and randomly up to half shorter, so that
 * clients refused together don't return together. */
export function backoff(attempt, longest) {
    const whole = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), longest);
    return whole * (1 - Math.random() / 2);
}
/** The pause before the same request is repeated, or null if it must not be. repeatable means
 * that sending it twice has the same effect as sending it once. */
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
    // A gateway answered; the service may have done anything.
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
/** A signal that ends with another one, or after a time without activity. */
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
    /** The result of a promise, unless the signal ends first. Node.js may not pass an abort to an
     * answer once its request was collected, so never wait for the answer alone. */
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
    /** Starts the time again. */
    restart() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.controller.abort(new DOMException("nothing came in time", "TimeoutError")), this.ms);
    }
    /** Stops the time: what follows may take longer. */
    pause() {
        clearTimeout(this.timer);
    }
    /** Aborts the signal's operation, and releases the other signal. */
    end() {
        this.pause();
        this.of?.removeEventListener("abort", this.stop);
        this.controller.abort();
    }
}
