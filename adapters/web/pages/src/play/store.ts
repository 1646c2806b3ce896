// Shared state of the page: games, tokens, balances, the newest bets. Answers and events change it;
// every part of the page reads it from here.

import { computed, effect, signal } from "@preact/signals";
import { api, type Schemas } from "../shared/api";
import { served } from "../shared/config";
import { checkConnection } from "../shared/connection";
import { listen, type Heard } from "../shared/events";
import { refresh } from "../shared/happened";
import { language, t, type Key } from "../shared/i18n";
import { insist } from "../shared/insist";
import { parse, type Integer } from "@casino-service/client";
import { keep, kept } from "../shared/kept";
import { written } from "../shared/money";
import { complain, knowTokens, say } from "../shared/notices";
import { session } from "../shared/session";
import { animating, underway } from "./pauses";

export type Game = Schemas["Game"];
export type Round = Schemas["Round"];
export type OpenRound = Schemas["OpenRound"];
export type Bet = Schemas["RecentBet"];
export type Terms = Schemas["TokenTerms"];

export const games = signal<Game[] | null>(null);
export const tokens = signal<Terms[]>([]);
export const balances = signal<Record<string, bigint>>({});
const feed = signal<Bet[]>([]);

/** The round of whose end an event told last. */
export const ended = signal<Round | null>(null);

const KEPT = "casino.token";
const chosen = signal(kept(KEPT) ?? "");

/** The token to play with: the chosen one, else one with a balance. */
export const token = computed<Terms | null>(() => {
  const open = tokens.value.filter((each) => !each.closing);
  return open.find((each) => each.token === chosen.value)
    ?? open.find((each) => (balances.value[each.token] ?? 0n) > 0n)
    ?? open.find((each) => each.program === "system") ?? open[0] ?? null;
});

export function chooseToken(mint: string): void {
  keep(KEPT, mint);
  chosen.value = mint;
}

export function terms(mint: string): Terms | undefined {
  return tokens.value.find((each) => each.token === mint);
}

/** An amount with the sign of its token, exactly. */
export function amount(units: Integer, mint: string): string {
  const of = terms(mint);
  return of === undefined ? "…" : `${written(units, of.decimals, language.value)} ${of.symbol}`;
}

/** A result with its sign: what was won or lost beyond the stake. */
export function signedAmount(net: Integer, mint: string): string {
  return (BigInt(net) > 0n ? "+" : "") + amount(net, mint);
}

// The rounds whose balances events have already reported; a later answer about them is older.
const heardOf: string[] = [];
const HEARD_MAX = 64;

export function setBalance(mint: string, balance: Integer, of?: string): void {
  if (of !== undefined && heardOf.includes(of)) return;
  balances.value = { ...balances.value, [mint]: BigInt(balance) };
}

// The round that its board still animates.
const withheld = signal<Round | null>(null);

/** Leaves a round out of the feed and its payout out of the balance; null shows them. */
export function withhold(round: Round | null): void {
  withheld.value = round;
  animating.value = round !== null;
}

/** A list without the round that its board still animates. */
export function shownOf<R extends { id: string }>(rounds: R[]): R[] {
  return rounds.filter(({ id }) => id !== withheld.value?.id);
}

// What is shown of balances and bets. It waits for answers, since events may come before them.
let before: { balances: Record<string, bigint>; feed: Bet[] } = { balances: {}, feed: [] };
const shown = computed(() => (underway.value > 0 ? before : (before = { balances: balances.value, feed: shownOf(feed.value) })));

/** The newest bets to show. */
export const shownFeed = computed(() => shown.value.feed);

/** The balance to show, in base units. */
export function shownBalance(mint: string): bigint {
  const whole = shown.value.balances[mint] ?? 0n;
  return withheld.value?.token === mint ? whole - BigInt(withheld.value.payout) : whole;
}

async function readBalances(): Promise<void> {
  const { balances: lines } = await api.get("/balance");
  balances.value = Object.fromEntries(lines.map((line) => [line.token, BigInt(line.balance)]));
}

const ANNOUNCED: Record<string, [Key, "good" | "bad" | "plain"]> = {
  "casino.deposit.credited": ["event.deposit.credited", "good"],
  "casino.deposit.review": ["event.deposit.review", "plain"],
  "casino.deposit.rejected": ["event.deposit.rejected", "bad"],
  "casino.withdrawal.approved": ["event.withdrawal.approved", "good"],
  "casino.withdrawal.sending": ["event.withdrawal.sending", "plain"],
  "casino.withdrawal.completed": ["event.withdrawal.completed", "good"],
  "casino.withdrawal.rejected": ["event.withdrawal.rejected", "bad"],
};

function hear(event: Heard): void {
  const data = event.data as { token?: string; balance?: Integer; of?: string; cause?: string };
  if (event.type === "casino.balance.changed" && data.token !== undefined && data.balance !== undefined) {
    setBalance(data.token, data.balance);
    heardOf.push(data.of ?? "");
    heardOf.splice(0, heardOf.length - HEARD_MAX);
  }
  if (event.type === "casino.round.settled" || event.type === "casino.round.void") ended.value = event.data as unknown as Round;
  const announced = ANNOUNCED[event.type];
  if (announced !== undefined) say(t(announced[0]), announced[1]);
  if (!event.type.startsWith("casino.balance.")) refresh();
}

const FEED_MAX = 12;

function beginFeed(): void {
  void insist(async () => void (feed.value = (await api.get("/recent-bets")).bets.slice(0, FEED_MAX)));
  const source = new EventSource(`${served.base}/public/feed`);
  source.onerror = () => void checkConnection();
  source.onmessage = (message: MessageEvent<string>) => {
    const bet = parse(message.data) as Bet;
    feed.value = [bet, ...feed.value.filter((each) => each.id !== bet.id)].slice(0, FEED_MAX);
  };
}

export function beginStore(): void {
  knowTokens((mint) => (mint === undefined ? token.value ?? undefined : terms(mint)));
  void insist(async () => void (games.value = (await api.get("/public/games")).games));
  void insist(async () => void (tokens.value = (await api.get("/public/tokens")).tokens));
  beginFeed();
  effect(() => {
    balances.value = {};
    if (session.value === null) return undefined;
    const until = new AbortController();
    const read = () => void readBalances().catch(complain);
    read();
    void listen(until.signal, read, hear);
    return () => until.abort();
  });
}
