// The published API over fetch, with the types of its document. Writes carry a key and are repeated
// under it if their answer was lost, so that nothing happens twice.

import type { components, paths } from "@casino-service/client";
import { served } from "./config";
import { checkConnection } from "./connection";
import { parse, stringify } from "@casino-service/client";

export type Schemas = components["schemas"];
export type ErrorCode = Schemas["Error"]["code"];

type Method = "get" | "post" | "put" | "patch" | "delete";
type Of<P extends keyof paths, M extends Method> = paths[P][M];
type Content<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Answered<O> = O extends { responses: infer R } ? Content<R[keyof R & (200 | 201 | 202)]> : never;
/** What a GET of a path answers. */
export type Answer<P extends keyof paths> = Answered<Of<P, "get">>;
type Body<O> = O extends { requestBody?: infer B } ? Content<NonNullable<B>> : never;
type Query<O> = O extends { parameters: { query?: infer Q } } ? Q : never;

interface Options<O> {
  path?: Record<string, string>;
  query?: Query<O>;
  body?: Body<O>;
  /** Sends an Idempotency-Key, so that the request can be repeated, also by a later call. */
  once?: boolean;
  /** The request may be repeated unchanged: it names its effect exactly. */
  named?: boolean;
  /** How many milliseconds to wait for the answer. */
  within?: number;
  /** The requested media type, if it isn't JSON. */
  accept?: string;
}

/** A refusal of the service, with the service's message. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly details: Schemas["Error"]["details"],
    readonly requestId: string,
    readonly retryAfter: number,
  ) {
    super(message);
  }
}

/** The outcome of a write is unknown: there was no answer, or none from the service. */
export class Unknown extends Error {}

/** The answer is to a wallet that isn't signed in any more. Nothing of it is shown to the next one. */
export class Replaced extends Error {}

let token: string | null = null;
let caller = "";
let onRefusedSession: () => void = () => {};

/** Sets the token and wallet of calls; refused is called when the service has ended the session. */
export function authenticate(bearer: string | null, wallet = "", refused: () => void = () => {}): void {
  token = bearer;
  caller = wallet;
  onRefusedSession = refused;
}

/** An answer to a request that asked for a receipt. */
export interface Heard {
  path: string;
  wallet: string;
  /** The body that was sent, and its Idempotency-Key, empty for none. */
  asked: string;
  key: string;
  ok: boolean;
  text: string;
  /** When the service says that it answered, in milliseconds since 1970; this machine's time if it doesn't. */
  at: number;
}

/** What the service signs if it is asked for receipts. */
const SIGNED = new Set<string>(["/play", "/rounds", "/rounds/{id}/steps", "/seed/rotate", "/deposit", "/withdraw", "/crash/bets", "/crash/cashout"]);
let prefers: () => boolean = () => false;
let hear: (heard: Heard) => void = () => {};

/** Asks for receipts while wanted, and hears each answer to such a request. */
export function onReceipts(wanted: () => boolean, heard: (heard: Heard) => void): void {
  prefers = wanted;
  hear = heard;
}

export function bearer(): string | null {
  return token;
}

/** The service refused a token: the session is over, unless another one has begun. */
export function refused(sent: string | null): void {
  if (sent !== null && sent === token) onRefusedSession();
}

/** A key of 128 random bits. Not randomUUID, which is missing in pages over plain HTTP. */
function key(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Writes with their keys, by wallet and content. A write in progress isn't sent twice, for example
// when a button is pressed twice. One without an answer keeps its key, so that the same request
// again repeats it instead of betting or paying a second time.
const underway = new Map<string, Promise<string>>();
const unanswered = new Map<string, string>();

const SERVER_FAILED = 500;

/** Whether a failed write may have been done nevertheless. */
function unsure(failure: unknown): boolean {
  return !(failure instanceof Refusal) || (failure.status >= SERVER_FAILED && failure.details.outcome !== "none" && failure.code !== "API_CHECKING");
}

/** Sends a write under its key, unless it is in progress already. */
function once(what: string, send: (key: string) => Promise<string>): Promise<string> {
  let answer = underway.get(what);
  if (answer === undefined) {
    answer = settle(what, send).finally(() => underway.delete(what));
    underway.set(what, answer);
  }
  return answer;
}

async function settle(what: string, send: (key: string) => Promise<string>): Promise<string> {
  const under = unanswered.get(what) ?? key();
  unanswered.set(what, under);
  try {
    const text = await send(under);
    unanswered.delete(what);
    return text;
  } catch (failure) {
    if (unsure(failure)) throw new Unknown("", { cause: failure });
    unanswered.delete(what);
    throw failure;
  }
}

const ATTEMPTS = 3;
const PAUSE_MS = 300;
/** How long to wait for an answer: longer than the service's own time-out. Whole lists have no
 * limit. */
const ANSWER_MS = 25_000;

function read(response: Response, text: string): string {
  if (response.ok) return text;
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  let error: Partial<Schemas["Error"]> = {};
  try {
    error = parse(text) as Schemas["Error"];
  } catch {
    // Something between the service and the page answered, such as a proxy.
  }
  throw new Refusal(response.status, error.code ?? "INTERNAL_ERROR", error.message ?? `HTTP ${response.status}`, error.details ?? {}, error.requestId ?? "", retryAfter);
}

/** Whether a request didn't reach the service: no connection, or no answer in time. */
export function unreached(failure: unknown): boolean {
  return failure instanceof TypeError || (failure instanceof DOMException && failure.name === "TimeoutError");
}

/** Whether the same request may be sent again: its answer was lost, or the service was
 * unavailable. */
function passing(failure: unknown): boolean {
  return unreached(failure) || (failure instanceof Refusal && failure.code === "UNAVAILABLE");
}

async function exchange<P extends keyof paths, M extends Method>(method: M, path: P, options: Options<Of<P, M>> = {}): Promise<string> {
  let address = served.base + path;
  for (const [name, value] of Object.entries(options.path ?? {})) address = address.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((options.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  if (query.size > 0) address += `?${query}`;
  const headers = new Headers();
  const sent = path === "/auth/login" ? null : token; // a refused signature doesn't end a session
  if (sent !== null) headers.set("Authorization", `Bearer ${sent}`);
  if (options.accept !== undefined) headers.set("Accept", options.accept);
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  const signed = method === "post" && SIGNED.has(path) && prefers();
  if (signed) headers.set("Prefer", "receipt");
  const request: RequestInit = { method: method.toUpperCase(), headers, cache: "no-store", credentials: "omit" };
  if (options.body !== undefined) request.body = stringify(options.body);
  const asked = { path, wallet: caller, asked: String(request.body ?? "") };
  const answered = (response: Response, text: string) => {
    if (!signed) return;
    hear({ ...asked, key: headers.get("Idempotency-Key") ?? "", ok: response.ok, text, at: Date.parse(response.headers.get("Date") ?? "") || Date.now() });
  };
  const send = (again: boolean) => attempt(address, request, sent, again, options.accept === undefined ? (options.within ?? ANSWER_MS) : null, answered);
  const text = await (options.once !== true ? send(method === "get" || options.named === true)
    : once([caller, method, address, request.body].join(" "), (under) => {
      headers.set("Idempotency-Key", under);
      return send(true);
    }));
  if (sent !== null && caller !== asked.wallet && path !== "/auth/logout") throw new Replaced();
  return text;
}

/** Sends a request, and repeats it if that is allowed and its answer was lost. */
async function attempt(address: string, request: RequestInit, sent: string | null, repeatable: boolean, within: number | null, answered: (response: Response, text: string) => void): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(address, within === null ? request : { ...request, signal: AbortSignal.timeout(within) });
      const text = await response.text();
      answered(response, text);
      return read(response, text);
    } catch (failure) {
      if (unreached(failure)) void checkConnection();
      if (failure instanceof Refusal && failure.status === 401) refused(sent);
      if (!repeatable || attempt === ATTEMPTS || !passing(failure)) throw failure;
      await new Promise((again) => setTimeout(again, PAUSE_MS * attempt));
    }
  }
}

async function call<P extends keyof paths, M extends Method>(method: M, path: P, options?: Options<Of<P, M>>): Promise<Answered<Of<P, M>>> {
  const text = await exchange(method, path, options);
  return (text === "" ? undefined : parse(text)) as Answered<Of<P, M>>;
}

export const api = {
  get: <P extends keyof paths>(path: P, options?: Options<Of<P, "get">>) => call("get", path, options),
  /** The text of an answer, with all digits of its numbers. */
  text: <P extends keyof paths>(path: P, options?: Options<Of<P, "get">>) => exchange("get", path, options),
  post: <P extends keyof paths>(path: P, options?: Options<Of<P, "post">>) => call("post", path, options),
  put: <P extends keyof paths>(path: P, options?: Options<Of<P, "put">>) => call("put", path, options),
  patch: <P extends keyof paths>(path: P, options?: Options<Of<P, "patch">>) => call("patch", path, options),
  delete: <P extends keyof paths>(path: P, options?: Options<Of<P, "delete">>) => call("delete", path, options),
  /** A whole list under its filters, as CSV. */
  sheet: <P extends keyof paths>(path: P, options?: Options<Of<P, "get">>) => exchange("get", path, { ...options, accept: "text/csv" }),
  /** What a POST computes, as CSV. */
  postSheet: <P extends keyof paths>(path: P, options?: Options<Of<P, "post">>) => exchange("post", path, { ...options, accept: "text/csv" }),
};
