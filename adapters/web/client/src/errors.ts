// Failures of a call: the service refused it, the session is over, or no answer came.

import type { components } from "./contract.js";
import { parse } from "./json.js";

type Failure = components["schemas"]["Error"];

/** The code of a refusal. Codes are stable, messages may change. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** The service refused a call. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  /** The call, such as "POST /play". */
  readonly call: string;
  /** The HTTP status. */
  readonly status: number;
  /** The contract's code, or null if another server answered, such as a proxy. */
  readonly code: ErrorCode | null;
  /** Facts for programs: the refused field, a limit, a time. */
  readonly details: Failure["details"];
  /** Names the request in the service's log. */
  readonly requestId: string;
  /** The wait before the next attempt in milliseconds; null if the service gave none. */
  readonly retryAfterMs: number | null;
  /** The key that the call was sent under; under it the call happens at most once. */
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

/** The call's session is over or never existed: sign in again. */
export class SessionEnded extends Refusal {
  override readonly name = "SessionEnded";
}

/** No answer came. A call that moves money may have happened nevertheless: send it again under
 * its key to get the first answer. */
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

/** The failure in a response that refuses a call. */
export function refusal(call: string, response: Response, text: string, signedIn: boolean, idempotencyKey: string | null): Refusal {
  let failure: Partial<Failure> = {};
  try {
    const read = parse(text);
    if (typeof read === "object" && read !== null && "code" in read) failure = read as Failure;
  } catch {
    // A server between the service and the client answered: only the status is known.
  }
  const of = response.status === 401 && signedIn ? SessionEnded : Refusal;
  return new of(call, response, failure, idempotencyKey);
}
