// Event streams that continue after a lost connection.

import type { Connection } from "./connection.js";
import { NoAnswer, refusal, Refusal, SessionEnded } from "./errors.js";
import { parse } from "./json.js";
import { backoff, Deadline, sleep } from "./pauses.js";
import { Messages, type Message } from "./sse.js";

/** Options of every stream. */
export interface StreamOptions {
  /** Ends the stream: the iteration is then over. */
  signal?: AbortSignal;
  /** Called whenever a connection is made. Data read from the service afterwards is complete
   * together with the following events. */
  onOpen?: () => void;
  /** How long a connection may be silent before it is replaced, 40 s by default. The service
   * sends something every 15 s. */
  silenceMs?: number;
}

/** Identifies a stream. */
export interface Stream {
  call: string;
  query: object;
  token: string | null;
  /** The position to continue from, null for now. */
  cursor: string | null;
}

/** The content of a message, and the position after it. */
export interface Placed {
  value: unknown;
  cursor: string;
}

const SILENCE_MS = 40_000;
const PAUSE_MAX_MS = 10_000;

/** Reads a stream until its signal ends, over as many connections as needed; each begins at the
 * position after the last message. It fails if reconnecting wouldn't help. */
export async function* follow(connection: Connection, stream: Stream, options: StreamOptions): AsyncGenerator<Placed, void, void> {
  let last = stream.cursor;
  for (let failures = 1; ; failures++) {
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
    } catch (failure) {
      if (options.signal?.aborted) return;
      if (!passing(failure)) throw failure;
      asked = failure instanceof Refusal ? (failure.retryAfterMs ?? 0) : 0;
    }
    if (Date.now() - begun > PAUSE_MAX_MS) failures = 0; // the connection was good for a while
    try {
      await sleep(Math.max(asked, backoff(failures + 1, PAUSE_MAX_MS)), options.signal);
    } catch {
      return; // the signal ended it
    }
  }
}

/** Whether another connection may succeed. */
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
      deadline.pause(); // the reader may take time
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
    reader?.cancel().catch(() => {}); // the body may have ended already
  }
}
