// Bets as they are played: of all players without names, high ones only, or one's own. It has the
// same rows whatever comes, and stands still under the pointer.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../shared/api";
import { happened } from "../shared/happened";
import { maybe, t, times } from "../shared/i18n";
import type { Integer } from "@casino-service/client";
import { complain } from "../shared/notices";
import { to } from "../shared/route";
import { session } from "../shared/session";
import "./feed.css";
import { titleOf } from "./names";
import { Net } from "./net";
import { underway } from "./pauses";
import { amount, shownFeed, shownOf, signedAmount, terms, type Bet } from "./store";

const TABS = ["all", "high", "own"] as const;
type Tab = (typeof TABS)[number];
type Row = Pick<Bet, "id" | "gameType" | "token" | "wager" | "payout" | "multiplier"> & { player?: string };

const ROWS = 12;
const HIGH_PART = 100n; // of a token's maximum wager

/** Whether a wager or a payout is high for its token. */
function high(bet: Bet): boolean {
  const most = BigInt(terms(bet.token)?.maxWager ?? 0);
  const part = (units: Integer) => BigInt(units) * HIGH_PART >= most;
  return most > 0n && (part(bet.wager) || part(bet.payout));
}

const highest = signal<Bet[]>([]);
effect(() => {
  const newest = shownFeed.value.filter(high);
  const before = highest.peek().filter((each) => !newest.some(({ id }) => id === each.id));
  highest.value = [...newest, ...before].slice(0, ROWS);
});

/** The caller's newest rounds, read again after events. */
function useOwn(wanted: boolean): Row[] | null {
  const [read, setRead] = useState<{ of: string; rows: Row[] } | null>(null);
  const who = session.value?.wallet;
  const rows = read?.of === who ? (read?.rows ?? null) : null; // never another wallet's
  const shown = useRef(rows);
  useEffect(() => {
    if (wanted && who !== undefined) api.get("/history", { query: { limit: ROWS } }).then(({ rounds }) => setRead({ of: who, rows: rounds }), complain);
  }, [wanted, who, happened.value]);
  if (underway.value === 0 || rows === null) shown.current = rows && shownOf(rows);
  return who === undefined ? [] : shown.current;
}

function empty(tab: Tab): string {
  if (tab === "own") return t(session.value === null ? "feed.signin" : "feed.own.empty");
  return t(tab === "high" ? "feed.high.empty" : "feed.empty");
}

export function FeedTable() {
  const [tab, setTab] = useState<Tab>("all");
  const [held, setHeld] = useState<Row[] | null>(null);
  const own = useOwn(tab === "own");
  const present = tab === "own" ? own : tab === "high" ? highest.value : shownFeed.value;
  const rows = held ?? present;
  const choose = (next: Tab) => {
    setHeld(null);
    setTab(next);
  };
  return (
    <div class="feed-box">
      <div class="row feed-tabs">
        <div class="segments" role="group" aria-label={t("lobby.feed")}>
          {TABS.map((each) => <button type="button" key={each} aria-pressed={tab === each} onClick={() => choose(each)}>{maybe(`feed.${each}`)}</button>)}
        </div>
        <span class={held === null ? "tag unseen" : "tag"} aria-hidden={held === null}>{t("feed.held")}</span>
      </div>
      <div class="scroll panel" tabIndex={0} role="region" aria-label={maybe(`feed.${tab}`)} onPointerEnter={() => setHeld(present)} onPointerLeave={() => setHeld(null)}>
        <table class="feed">
          <thead>
            <tr>
              <th scope="col">{t("column.game")}</th>
              <th scope="col" class="wide">{t("column.player")}</th>
              <th scope="col" class="number">{t("wager")}</th>
              <th scope="col" class="number times">{t("column.times")}</th>
              <th scope="col" class="number">{t("column.net")}</th>
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: ROWS }, (_, i) => <Line key={i} bet={rows?.[i]} own={tab === "own"} text={i === 0 && rows?.length === 0 ? empty(tab) : ""} />)}
          </tbody>
        </table>
      </div>
      {tab === "high" && <p class="muted">{t("feed.high.explain", { percent: String(100n / HIGH_PART) })}</p>}
    </div>
  );
}

function Line({ bet, own, text }: { bet: Row | undefined; own: boolean; text: string }) {
  if (bet === undefined) return <tr><td colSpan={5} class="muted">{text}</td></tr>;
  const profit = BigInt(bet.payout) - BigInt(bet.wager);
  const wager = amount(bet.wager, bet.token);
  return (
    <tr data-bet={bet.id}>
      <td>{own ? <a href={to("history", bet.id)}>{titleOf(bet.gameType)}</a> : titleOf(bet.gameType)}</td>
      <td class="wide"><code>{bet.player?.slice(0, 6)}</code></td>
      <td class="number" title={wager}>{wager}</td>
      <td class="number times">{times(bet.multiplier)}</td>
      <td class="number" title={signedAmount(profit, bet.token)}><Net of={profit} token={bet.token} /></td>
    </tr>
  );
}
