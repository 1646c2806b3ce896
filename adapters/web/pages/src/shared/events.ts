// Reads server-sent events over fetch, because EventSource sends no token (docs/events.md).

import { bearer, refused, type Schemas } from "./api";
import { served } from "./config";
import { checkConnection } from "./connection";
import { parse } from "@casino-service/client";

export type Heard = Schemas["Event"];
const AGAIN_MS = 1000;

/** Listens to events until the signal ends, the caller's own or those of another stream, over as
 * many connections as needed, without missing any. Data read after begun was called is complete
 * together with the events. */
export async function listen(signal: AbortSignal, begun: () => void, handle: (event: Heard) => void, of = "/events"): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    try {
      const sent = bearer();
      const headers: Record<string, string> = { Accept: "text/event-stream", Authorization: `Bearer ${sent}`, ...(last !== "" && { "Last-Event-ID": last }) };
      const response = await fetch(served.base + of, { headers, signal, cache: "no-store", credentials: "omit" });
      if (response.status === 401) refused(sent); // which ends this, unless the session was renewed meanwhile
      if (response.status === 403) return;
      if (response.ok && last === "") begun();
      if (response.ok && response.body !== null) last = await readEvents(response.body, last, handle);
    } catch {
      // The connection was lost: the loop continues from the last event.
    }
    if (!signal.aborted) void checkConnection();
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
}

/** Reads a stream to its end, and returns the id of its last event. Heard is called for whatever comes,
 * such as heartbeats. */
export async function readEvents<T>(body: ReadableStream<Uint8Array>, last: string, handle: (event: T) => void, heard = () => {}): Promise<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read().catch(() => ({ value: "", done: true }));
    if (done) return last;
    heard();
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const lines = text.slice(0, end).split("\n");
      const data = lines.find((line) => line.startsWith("data: "));
      if (data !== undefined) handle(parse(data.slice(6)) as T);
      last = lines.find((line) => line.startsWith("id: "))?.slice(4) ?? last;
    }
  }
}
