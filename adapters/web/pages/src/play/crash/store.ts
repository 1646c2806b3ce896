// The shared crash while its page is open: the public stream, the caller's own bet, and the requests
// about it. What isn't answered is asked again; only answers and events tell results.

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { api, Refusal, unreached } from "../../shared/api";
import { served } from "../../shared/config";
import { checkConnection, connected } from "../../shared/connection";
import { readEvents } from "../../shared/events";
import { happened } from "../../shared/happened";
import { insist } from "../../shared/insist";
import { t } from "../../shared/i18n";
import { complain, say } from "../../shared/notices";
import { session } from "../../shared/session";
import { still } from "../motion";
import { makeSeat } from "../seat";
import { ended, setBalance, type Round } from "../store";
import { addEnded, ENDED_MAX, isOver, isSameRound, merge, nextOf, NOTHING, pauseAfter, queuedFate, ServiceClock, type Known, type News, type OwnBet, type Queued } from "./news";

export const known = signal<Known>(NOTHING);
/** The round before, shown for a while after its end although the next one takes bets. */
export const lately = signal<Known | null>(null);
const LATELY_MS = 3000;
let latelyEnds: ReturnType<typeof setTimeout> | undefined;
const streaming = signal(false);
/** Whether what is known is the present state. */
export const live = computed(() => streaming.value && connected.value);
/** The caller's bet that has no result yet. */
export const own = signal<OwnBet | null>(null);
/** The bet that waits for the next round. */
export const queued = signal<Queued | null>(null);
/** The bet whose cash-out isn't answered yet. */
export const asking = signal<string | null>(null);
/** The caller's last result. */
export const result = signal<Round | null>(null);
export const seat = makeSeat();

const clock = new ServiceClock();
/** The service's time, a few times a second and at each frame: the latter only while the curve rises
 * and may move. */
export const tick = signal(0);
export const frame = signal(0);
const TICK_MS = 250;

function runClock(): () => void {
  let next = requestAnimationFrame(function step() {
    const { round } = known.value;
    const now = serviceNow();
    if (round !== null) {
      batch(() => {
        const ticks = Math.abs(now - tick.value) >= TICK_MS;
        if (ticks) tick.value = now;
        if (ticks || (round.status === "flying" && !still())) frame.value = now;
      });
    }
    next = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(next);
}

const serviceNow = () => clock.at(performance.now());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let reads = 0;
let bets: string[] = []; // the ids of the caller's last bets, by which results are known

function takeOwn(bet: OwnBet | null): void {
  reads++; // an answer that is on its way is older
  own.value = bet;
  if (bet !== null && !bets.includes(bet.id)) bets = [bet.id, ...bets].slice(0, ENDED_MAX);
}

function forgetOwn(): void {
  bets = [];
  takeOwn(null);
  queued.value = result.value = null;
}

/** Reads the caller's bet until that is answered or told otherwise. */
function readOwn(): void {
  const mine = ++reads;
  if (session.peek() === null) return;
  void insist(async () => {
    const { bet } = await api.get("/crash/bet");
    if (mine === reads) takeOwn(bet ?? null);
  }, () => mine === reads);
}

export async function placeBet(bet: { token: string; wager: bigint; cashOut: number | null }): Promise<void> {
  const { token, wager, cashOut } = bet;
  const placed = await seat.attempt(async () => {
    const answer = await api.post("/crash/bets", { once: true, body: { token, wager, ...(cashOut !== null && { cashOut: cashOut / 100 }) } });
    setBalance(token, answer.balance, answer.bet.id);
    return answer.bet;
  });
  // One that repeats an unanswered bet may be answered with that of an earlier round.
  if (placed !== null && isSameRound({ chain: placed.chain, number: placed.round }, known.value.round)) takeOwn(placed);
  else readOwn();
}

export function queueBet(bet: Omit<Queued, "chain" | "number">): void {
  const { round } = known.value;
  if (round !== null) queued.value = { ...nextOf(round), ...bet };
}

const CASH_OUT_MS = 2000; // until a cash-out without an answer is sent again
const AGAIN_MS = 300;
const SERVER_FAILED = 500;

/** Cashes the caller's bet out, and repeats that until it is answered or the bet has its result: the
 * service counts the first request that it received. */
export async function cashOut(): Promise<void> {
  const bet = own.value;
  if (bet === null || asking.value === bet.id) return;
  asking.value = bet.id;
  while (own.value?.id === bet.id) {
    try {
      const answer = await api.post("/crash/cashout", { body: { bet: bet.id }, within: CASH_OUT_MS });
      if (own.value?.id === bet.id) takeOwn(answer.bet);
      break;
    } catch (failure) {
      const passing = unreached(failure) || (failure instanceof Refusal && (failure.status >= SERVER_FAILED || failure.code === "RATE_LIMITED"));
      if (!passing) {
        if (failure instanceof Refusal && failure.code === "INVALID_STATE") say(t("crash.late"), "bad", undefined, true);
        else complain(failure);
        readOwn();
        break;
      }
      await pause(Math.max(AGAIN_MS, failure instanceof Refusal ? failure.retryAfter * 1000 : 0));
    }
  }
  if (asking.value === bet.id) asking.value = null;
}

function hear(news: News, first: boolean): void {
  if (first) clock.reset();
  clock.hear(Number(news.now), performance.now());
  batch(() => {
    const before = known.value;
    known.value = merge(before, news, first);
    if (!isSameRound(before.round, known.value.round)) {
      clearTimeout(latelyEnds);
      lately.value = !first && before.round !== null && isOver(before.round) ? before : null;
      latelyEnds = setTimeout(() => (lately.value = null), LATELY_MS);
    }
    tick.value = frame.value = serviceNow(); // nothing is shown by an earlier time
  });
  const { round } = known.value;
  const waiting = queued.value;
  const fate = waiting === null || round === null ? "wait" : queuedFate(waiting, round, serviceNow());
  if (fate === "wait") return;
  queued.value = null;
  if (fate === "place" && waiting !== null) void placeBet(waiting);
  else say(t("crash.missed"), "bad");
}

const SILENT_MS = 20_000; // more than the service's heartbeat

/** Reads the stream over as many connections as needed, until the signal ends. */
async function follow(until: AbortSignal): Promise<void> {
  for (let failures = 0; !until.aborted; failures++) {
    const connection = new AbortController();
    const stop = () => connection.abort();
    until.addEventListener("abort", stop, { once: true });
    let silence = setTimeout(stop, SILENT_MS);
    try {
      const response = await fetch(`${served.base}/crash/stream`, { signal: connection.signal, cache: "no-store", credentials: "omit" });
      let first = true;
      if (response.ok && response.body !== null) {
        await readEvents<News>(response.body, "", (news) => {
          hear(news, first);
          if (!first) return;
          [first, failures, streaming.value] = [false, 0, true];
          readOwn();
          void api.get("/crash/rounds", { query: { limit: ENDED_MAX } }).then(({ rounds }) => (known.value = { ...known.value, ended: addEnded(known.value.ended, rounds) }), complain);
        }, () => {
          clearTimeout(silence);
          silence = setTimeout(stop, SILENT_MS);
        });
      }
    } catch {
      // The connection was lost, or there was none.
    }
    clearTimeout(silence);
    until.removeEventListener("abort", stop);
    connection.abort();
    streaming.value = false;
    if (until.aborted) return;
    void checkConnection();
    await pause(pauseAfter(failures, Math.random()));
  }
}

/** Follows the shared crash until it is left. */
export function followCrash(): () => void {
  const until = new AbortController();
  void follow(until.signal);
  forgetOwn();
  let who = session.peek()?.wallet;
  const ends = [
    runClock(),
    // Every event of the caller's may be about the bet: one placed elsewhere, a result.
    effect(() => {
      const wallet = session.value?.wallet;
      void happened.value;
      untracked(() => {
        if (wallet !== who) forgetOwn();
        who = wallet;
        readOwn();
      });
    }),
    effect(() => {
      const round = ended.value;
      if (round === null || !untracked(() => bets.includes(round.id))) return;
      result.value = round;
      if (own.peek()?.id === round.id) takeOwn(null);
    }),
  ];
  return () => {
    until.abort();
    for (const end of ends) end();
    queued.value = null;
  };
}

/** Whether the caller's last result is shown: not while the page still shows that round's curve rising,
 * or that of a newer bet. */
export const resultShown = computed(() => {
  const { round } = known.value;
  const of = (result.value?.config ?? {}) as { chain?: string; round?: number };
  const flies = round?.status === "flying" && (own.value !== null || isSameRound(round, { chain: of.chain ?? "", number: of.round ?? 0 }));
  return result.value !== null && !flies;
});
