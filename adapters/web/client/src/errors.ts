// How a call fails: the service refused it, the session is over, or no answer came.

import type { components } from "./contract.js";
import { parse } from "./json.js";

type Failure = components["schemas"]["Error"];

/** What the service calls a refusal; it stays the same, messages may change. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** The service refused a call. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  /** The call, such as "POST /play". */
  readonly call: string;
  /** The HTTP status. */
  readonly status: number;
  /** The contract's code, or null where something before the service answered, such as a proxy. */
  readonly code: ErrorCode | null;
  /** Facts for programs: the field that was refused, a limit, a moment. */
  readonly details: Failure["details"];
  /** Names the request in the service's log. */
  readonly requestId: string;
  /** When to ask again, in milliseconds; null where the service gave no time. */
  readonly retryAfterMs: number | null;
  /** The key that the call was sent under: the same call under it happens once at most. */
  readonly idempotencyKey: string | null;

  constructor(call: string, response: Response, failure: Partial<Failure>, idempotencyKey: string | null) {
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
  override readonly name = "SessionEnded";
}

/** No answer came. A call that moves money may have happened all the same: send it again
 * under its key, and the answer is the first one's. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly call: string;
  readonly idempotencyKey: string | null;

  constructor(call: string, idempotencyKey: string | null, cause: unknown) {
    super(`${call}: no answer came`, { cause });
    this.call = call;
    this.idempotencyKey = idempotencyKey;
  }
}

/** What a response that refuses means. */
export function refusal(call: string, response: Response, text: string, signedIn: boolean, idempotencyKey: string | null): Refusal {
  let failure: Partial<Failure> = {};
  try {
    const read = parse(text);
    if (typeof read === "object" && read !== null && "code" in read) failure = read as Failure;
  } catch {
    // Something between the service and the client answered: the status says what is known.
  }
  const of = response.status === 401 && signedIn ? SessionEnded : Refusal;
  return new of(call, response, failure, idempotencyKey);
}
