// The connection to one service: addresses, headers, keys, and repeating requests without an
// answer.

import type { AnyOptions, Call } from "./calls.js";
import { NoAnswer, refusal } from "./errors.js";
import { stringify } from "./json.js";
import { keyed } from "./operations.js";
import { Deadline, pauseAfter, sleep, USUAL, type Patience } from "./pauses.js";

/** Settings of a client, beside the service's address. */
export interface Settings extends Partial<Patience> {
  /** The function that sends requests; by default the global fetch. */
  fetch?: typeof fetch;
  /** Asks for receipts of bets, steps, rotations, withdrawals and deposits: their answers then have
   * a receipt, where the service has a key for them. To verify one keep the text of the answer. */
  receipts?: boolean;
}

/** A request with other headers than the usual ones. */
export interface Sent extends AnyOptions {
  headers?: Record<string, string>;
}

/** The calls that may be repeated although their method changes data: they only read, or they
 * name their effect so exactly that the service recognizes a repetition. */
const REPEATABLE: ReadonlySet<string> = new Set<Call>([
  "POST /deposit", "POST /deposit/transaction", "POST /public/games/{gameType}/return", "POST /public/verify", "POST /rounds/{id}/steps",
]);

export class Connection {
  readonly patience: Patience;
  private readonly base: string;
  private readonly send: typeof fetch;
  private readonly receipts: boolean;

  constructor(base: string, settings: Settings = {}) {
    const { fetch: send, receipts, ...patience } = settings;
    this.base = base.replace(/\/+$/, "");
    this.send = send ?? ((...what) => globalThis.fetch(...what));
    this.receipts = receipts ?? false;
    this.patience = { ...USUAL, ...patience };
  }

  /** The text of an answer, after as many attempts as the call allows. All attempts carry the
   * same key. */
  async text(call: string, options: Sent, token: string | null): Promise<string> {
    const key = keyed.has(call) ? (options.idempotencyKey ?? newKey()) : null;
    const again = key !== null || /^(GET|PUT) /.test(call) || REPEATABLE.has(call);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(call, options, token, key);
      } catch (failure) {
        options.signal?.throwIfAborted();
        const pause = pauseAfter(failure, again, attempt, this.patience);
        if (pause === null) throw failure;
        await sleep(pause, options.signal);
      }
    }
  }

  private async once(call: string, options: Sent, token: string | null, key: string | null): Promise<string> {
    const deadline = new Deadline(this.patience.timeoutMs, options.signal);
    let response: Response;
    let text: string;
    try {
      response = await deadline.before(this.fetch(call, options, token, key, deadline.signal));
      text = await deadline.before(response.text());
    } catch (cause) {
      throw new NoAnswer(call, key, cause);
    } finally {
      deadline.end();
    }
    if (!response.ok) throw refusal(call, response, text, token !== null, key);
    return text;
  }

  /** Sends a request once. */
  fetch(call: string, options: Sent, token: string | null, key: string | null, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(options.headers);
    if (token !== null) headers.set("Authorization", `Bearer ${token}`);
    if (this.receipts && call.startsWith("POST ")) headers.set("Prefer", "receipt");
    if (key !== null) headers.set("Idempotency-Key", key);
    const request: RequestInit = { method: call.slice(0, call.indexOf(" ")), headers, signal, cache: "no-store", credentials: "omit", redirect: "error" };
    if (options.body !== undefined) {
      headers.set("Content-Type", "application/json");
      request.body = stringify(options.body);
    }
    return this.send(this.address(call, options), request);
  }

  private address(call: string, options: Sent): string {
    let path = call.slice(call.indexOf(" ") + 1);
    for (const [name, value] of Object.entries(options.path ?? {})) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    return this.base + path + (query.size > 0 ? `?${query}` : "");
  }
}

/** A unique key. randomUUID is missing in pages over plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
