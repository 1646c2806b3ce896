// Streams of events that go on where they broke off.

import type { Connection } from "./connection.js";
import { NoAnswer, refusal, Refusal, SessionEnded } from "./errors.js";
import { parse } from "./json.js";
import { backoff, Deadline, sleep } from "./pauses.js";
import { Messages, type Message } from "./sse.js";

/** What every stream takes. */
export interface StreamOptions {
  /** Ends the stream: the iteration is then over. */
  signal?: AbortSignal;
  /** Called whenever a connection is made. What is read from the service afterwards is
   * complete together with what comes. */
  onOpen?: () => void;
  /** How long a connection may be silent before another one is made: 40 s, unless it is
   * another time. The service sends something every 15 s. */
  silenceMs?: number;
}

/** Which stream it is. */
export interface Stream {
  call: string;
  query: object;
  token: string | null;
  /** The place to go on from, null for now. */
  cursor: string | null;
}

/** What a message of a stream says, and the place after it. */
export interface Placed {
  value: unknown;
  cursor: string;
}

const SILENCE_MS = 40_000;
const PAUSE_MAX_MS = 10_000;

/** Reads a stream until its signal ends it, over as many connections as that takes: each
 * begins at the place after what came last. It fails where coming back wouldn't help. */
export async function* follow(connection: Connection, stream: Stream, options: StreamOptions): AsyncGenerator<Placed, void, void> {
  let last = stream.cursor;
  for (let failures = 1; ; failures++) {
    const begun = Date.now();
    let asked = 0; // by the service, before another connection
    try {
      for await (const { data, id } of read(connection, { ...stream, cursor: last }, options)) {
        if (data !== "") {
          failures = 0;
          yield { value: parse(data), cursor: id ?? "" };
        }
        last = id ?? last; // once whoever reads comes for the next
      }
    } catch (failure) {
      if (options.signal?.aborted) return;
      if (!passing(failure)) throw failure;
      asked = failure instanceof Refusal ? (failure.retryAfterMs ?? 0) : 0;
    }
    if (Date.now() - begun > PAUSE_MAX_MS) failures = 0; // it was good for a while
    try {
      await sleep(Math.max(asked, backoff(failures + 1, PAUSE_MAX_MS)), options.signal);
    } catch {
      return; // the signal ended it
    }
  }
}

/** Whether another connection may do better. */
function passing(failure: unknown): boolean {
  if (failure instanceof NoAnswer) return true;
  return failure instanceof Refusal && !(failure instanceof SessionEnded) && (failure.status >= 500 || failure.status === 429);
}

/** The messages of one connection, until it ends. */
async function* read(connection: Connection, stream: Stream, options: StreamOptions): AsyncGenerator<Message, void, void> {
  const deadline = new Deadline(options.silenceMs ?? SILENCE_MS, options.signal);
  const headers: Record<string, string> = { Accept: "text/event-stream", ...(stream.cursor !== null && { "Last-Event-ID": stream.cursor }) };
  const heard = async <T>(what: Promise<T>): Promise<T> => {
    deadline.restart();
    try {
      return await deadline.before(what);
    } catch (cause) {
      throw new NoAnswer(stream.call, null, cause);
    } finally {
      deadline.pause(); // whoever reads may take their time
    }
  };
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const response = await heard(connection.fetch(stream.call, { query: stream.query, headers }, stream.token, null, deadline.signal));
    if (!response.ok) throw refusal(stream.call, response, await heard(response.text()), stream.token !== null, null);
    if (response.body === null) return;
    options.onOpen?.();
    const messages = new Messages();
    for (reader = response.body.getReader(); ; ) {
      const { value, done } = await heard(reader.read());
      if (done) return;
      yield* messages.take(value);
    }
  } finally {
    deadline.end();
    reader?.cancel().catch(() => {}); // it has ended already
  }
}
