// Event streams that continue after a lost connection.
import { NoAnswer, refusal, Refusal, SessionEnded } from "./errors.js";
import { parse } from "./json.js";
import { backoff, Deadline, sleep } from "./pauses.js";
import { Messages } from "./sse.js";
const SILENCE_MS = 40_000;
const PAUSE_MAX_MS = 10_000;
/** Reads a stream until its signal ends, over as many connections as needed; each begins at the
 * position after the last message. It fails if reconnecting wouldn't help. */
export async function* follow(connection, stream, options) {
    let last = stream.cursor;
    for (let failures = 1;; failures++) {
        const begun = Date.now();
        let asked = 0; // the pause that the service asked for
        try {
            for await (const { data, id } of read(connection, { ...stream, cursor: last }, options)) {
                if (data !== "") {
                    failures = 0;
                    yield { value: parse(data), cursor: id ?? "" };
                }
                last = id ?? last; // once the reader asks for the next message
            }
        }
        catch (failure) {
            if (options.signal?.aborted)
                return;
            if (!passing(failure))
                throw failure;
            asked = failure instanceof Refusal ? (failure.retryAfterMs ?? 0) : 0;
        }
        if (Date.now() - begun > PAUSE_MAX_MS)
            failures = 0; // the connection was good for a while
        try {
            await sleep(Math.max(asked, backoff(failures + 1, PAUSE_MAX_MS)), options.signal);
        }
        catch {
            return; // the signal ended it
        }
    }
}
/** Whether another connection may succeed. */
function passing(failure) {
    if (failure instanceof NoAnswer)
        return true;
    return failure instanceof Refusal && !(failure instanceof SessionEnded) && (failure.status >= 500 || failure.status === 429);
}
/** The messages of one connection, until it ends. */
async function* read(connection, stream, options) {
    const deadline = new Deadline(options.silenceMs ?? SILENCE_MS, options.signal);
    const headers = { Accept: "text/event-stream", ...(stream.cursor !== null && { "Last-Event-ID": stream.cursor }) };
    const heard = async (what) => {
        deadline.restart();
        try {
            return await deadline.before(what);
        }
        catch (cause) {
            throw new NoAnswer(stream.call, null, cause);
        }
        finally {
            deadline.pause(); // the reader may take time
        }
    };
    let reader;
    try {
        const response = await heard(connection.fetch(stream.call, { query: stream.query, headers }, stream.token, null, deadline.signal));
        if (!response.ok)
            throw refusal(stream.call, response, await heard(response.text()), stream.token !== null, null);
        if (response.body === null)
            return;
        options.onOpen?.();
        const messages = new Messages();
        for (reader = response.body.getReader();;) {
            const { value, done } = await heard(reader.read());
            if (done)
                return;
            yield* messages.take(value);
        }
    }
    finally {
        deadline.end();
        reader?.cancel().catch(() => { }); // the body may have ended already
    }
}
