// What everyone hears of the shared crash: its messages merged, the service's clock, and what follows
// from both. Nothing here asks or draws. Heights and multipliers are in hundredths.

import type { components } from "@casino-service/client";
import { crashMultiplierAt, crashTimeOf } from "@casino-service/verify";

type Schemas = components["schemas"];
export type News = Schemas["CrashNews"];
export type CrashRound = Schemas["CrashRound"];
export type CrashBet = Schemas["CrashBet"];
export type OwnBet = Schemas["OwnCrashBet"];

/** Everything that was heard: the present round, its bets, and the rounds that ended, newest first. */
export interface Known {
  chain: Schemas["CrashChain"] | null;
  round: CrashRound | null;
  bets: ReadonlyMap<string, CrashBet>;
  ended: CrashRound[];
}

export const NOTHING: Known = { chain: null, round: null, bets: new Map(), ended: [] };
export const ENDED_MAX = 20;

export function isOver({ status }: CrashRound): boolean {
  return status === "crashed" || status === "settled" || status === "cancelled";
}

const IDLE_MS = 15_000;

/** Whether a round ended so long ago that another one should have begun: play is paused, say. */
export function isIdle(round: CrashRound, now: number): boolean {
  if (!isOver(round)) return false;
  const risen = round.point === undefined ? 0 : crashTimeOf(heightAt(round, now));
  return now > Number(round.startedAt ?? round.closesAt ?? round.openedAt) + risen + IDLE_MS;
}

type Place = Pick<CrashRound, "chain" | "number">;

export function isSameRound(one: Place | null, other: Place | null): boolean {
  return one !== null && one.chain === other?.chain && Number(one.number) === Number(other.number);
}

/** Adds ended rounds to a list of them, each once. */
export function addEnded(ended: CrashRound[], more: CrashRound[]): CrashRound[] {
  const fresh = more.filter(isOver);
  return [...fresh, ...ended.filter((each) => !fresh.some((other) => isSameRound(each, other)))].slice(0, ENDED_MAX);
}

/** What is known after a message; the first one of a connection says everything. */
export function merge(before: Known, news: News, first: boolean): Known {
  const known = first ? { ...NOTHING, ended: before.ended } : before;
  const round = news.round ?? known.round;
  const bets = new Map(isSameRound(round, known.round) ? known.bets : []);
  for (const bet of news.bets ?? []) bets.set(bet.id, bet);
  return { chain: news.chain ?? known.chain, round, bets, ended: round === null ? known.ended : addEnded(known.ended, [round]) };
}

const HEARD_MAX = 16;

/** The service's clock. A message says a time that has passed when it arrives, so that which was
 * the fastest of the newest ones counts. */
export class ServiceClock {
  private ahead: number[] = [];

  /** Takes what a message says, with the time of a local clock that only goes forward. */
  hear(now: number, local: number): void {
    this.ahead = [...this.ahead, now - local].slice(-HEARD_MAX);
  }

  /** Forgets everything: the machine may have slept, or another instance answers. */
  reset(): void {
    this.ahead = [];
  }

  at(local: number): number {
    return local + Math.max(...this.ahead);
  }
}

export function hundredthsOf(multiplier: number): number {
  return Math.round(multiplier * 100);
}

/** The height that a round's curve shows at a time of the service: where it ended, once that is known. */
export function heightAt(round: CrashRound, now: number): number {
  const cap = hundredthsOf(round.cap);
  if (round.point !== undefined) return Math.min(hundredthsOf(round.point), cap);
  if (round.status !== "flying" || round.startedAt === undefined) return 100;
  return Math.min(crashMultiplierAt(Math.floor(now - Number(round.startedAt))), cap);
}

/** Where a bet is cashed out while the curve is at a height, or null: by hand as it was answered, else
 * by itself. */
export function outAt(bet: Pick<CrashBet, "cashOut" | "cashedOut">, height: number): number | null {
  const auto = hundredthsOf(bet.cashOut);
  if (bet.cashedOut !== undefined) return Math.min(hundredthsOf(bet.cashedOut), auto);
  return auto <= height ? auto : null;
}

/** What a bet is paid at a multiplier, in base units. */
export function payoutAt(bet: Pick<CrashBet, "wager">, multiplier: number): bigint {
  return (BigInt(bet.wager) * BigInt(multiplier)) / 100n;
}

/** A bet that waits for a round, and for no later one. */
export interface Queued extends Place {
  token: string;
  wager: bigint;
  cashOut: number | null;
}

/** The place of the round after one, of the same chain. */
export function nextOf({ chain, number }: CrashRound): Place {
  return { chain, number: Number(number) + 1 };
}

/** Whether a waiting bet may be placed: "wait" for its round, "place" it, or "drop" it, because its round
 * doesn't take bets any more. Another chain's first round follows the last one of its chain. */
export function queuedFate(queued: Place, round: CrashRound, now: number): "wait" | "place" | "drop" {
  const first = round.chain !== queued.chain && Number(round.number) === 1;
  if (isSameRound(queued, round) || first) return takesBets(round, now) ? "place" : "drop";
  return round.chain === queued.chain && Number(round.number) < Number(queued.number) ? "wait" : "drop";
}

export function takesBets(round: CrashRound, now: number): boolean {
  return round.status === "betting" && round.stopped !== true && (round.closesAt === undefined || now < Number(round.closesAt));
}

/** What the big button does. */
export type Control = "wait" | "bet" | "placed" | "cashOut" | "asking" | "queue" | "queued";

interface Mine {
  own: OwnBet | null;
  queued: boolean;
  /** Whether a cash-out isn't answered yet. */
  asking: boolean;
  /** Whether the stream is connected. */
  live: boolean;
}

export function controlOf(round: CrashRound | null, now: number, { own, queued, asking, live }: Mine): Control {
  if (round === null) return "wait";
  if (own !== null && isSameRound({ chain: own.chain, number: own.round }, round)) {
    const height = heightAt(round, now);
    const flies = round.status === "flying" && outAt(own, height) === null;
    if (flies && round.recovered !== true) return asking ? "asking" : height > 100 ? "cashOut" : "placed";
    if (flies || round.status === "betting" || round.status === "closed") return "placed";
  } else if (takesBets(round, now)) {
    return live ? "bet" : "wait";
  }
  return queued ? "queued" : live ? "queue" : "wait";
}

const PAUSE_MS = 500;
const PAUSE_MAX_MS = 8000;

/** How long to wait for the next connection after some failed ones. Part is a random number below 1. */
export function pauseAfter(failures: number, part: number): number {
  return Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** failures) * (0.5 + part / 2);
}

const SPAN_MS = 6000; // shown at least
const TOP = 180;
const POINTS = 40;

/** The curve up to a height as a path in a square of 100 by 100. */
export function pathTo(height: number): string {
  const [span, top] = [Math.max(SPAN_MS, crashTimeOf(height)), Math.max(TOP, height)];
  const points = Array.from({ length: POINTS + 1 }, (_, i) => {
    const at = Math.floor(100 + ((height - 100) * i) / POINTS);
    return `${((100 * crashTimeOf(at)) / span).toFixed(2)} ${(98 - (90 * (at - 100)) / (top - 100)).toFixed(2)}`;
  });
  return `M${points.join("L")}`;
}
