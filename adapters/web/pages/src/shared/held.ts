// What a tab keeps of its session and tells the page's other tabs. No effects, for the tests.

export interface Held {
  /** The signed-in wallet, and the program that holds it. */
  wallet: string;
  name: string;
  demo: boolean;
  /** Empty once the session has ended. */
  token: string;
  /** When the session ends, by this machine's clock. */
  endsAt: number;
}

/** How long before its end a session is renewed. */
export const RENEW_MS = 180_000;

export type Phase = "lasting" | "ending" | "over";

export function phaseAt(endsAt: number, now: number): Phase {
  return now >= endsAt ? "over" : now >= endsAt - RENEW_MS ? "ending" : "lasting";
}

/** How long a session stays in its phase. */
export function untilNextPhase(endsAt: number, now: number): number {
  return (now < endsAt - RENEW_MS ? endsAt - RENEW_MS : endsAt) - now;
}

/** A session in data that may be anything; null if it is none. */
export function readHeld(data: unknown): Held | null {
  if (typeof data !== "object" || data === null) return null;
  const { wallet, name, demo, token, endsAt } = data as Record<string, unknown>;
  if (typeof wallet !== "string" || typeof name !== "string" || typeof demo !== "boolean" || typeof token !== "string" || !Number.isSafeInteger(endsAt)) return null;
  return { wallet, name, demo, token, endsAt: endsAt as number };
}

/** Whether a tab takes another one's session: the later sign-in or renewal wins, and a session that
 * has ended doesn't come back from a tab that hasn't heard of it. */
export function isNewer(theirs: Held, mine: Held | null, now: number): boolean {
  return theirs.token !== "" && phaseAt(theirs.endsAt, now) !== "over" && theirs.endsAt > (mine?.endsAt ?? 0);
}
