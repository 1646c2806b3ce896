// The board of the shared crash: the curve that everyone watches, and the caller's bet on it.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { served } from "../../shared/config";
import { Input } from "../../shared/fields";
import { hundredths, language, t, times } from "../../shared/i18n";
import { typed } from "../../shared/money";
import { say } from "../../shared/notices";
import { session } from "../../shared/session";
import "../boards/multiplier.css";
import { Outcome } from "../frame";
import { useHotkeys } from "../hotkeys";
import { still } from "../motion";
import { amount } from "../store";
import { askToSignIn } from "../view";
import { Wager } from "../wager";
import { Bets } from "./bets";
import "./crash.css";
import { Ended, VerifyButton } from "./ended";
import { controlOf, heightAt, hundredthsOf, isIdle, isOver, outAt, pathTo, payoutAt, takesBets, type Control, type CrashRound, type OwnBet } from "./news";
import { asking, cashOut, followCrash, frame, known, lately, live, own, placeBet, queueBet, queued, result, resultShown, seat, tick } from "./store";

// A press so soon after a change of the button was meant for what it did before, unless that was a bet too.
const CHANGED_MS = 500;
const LEAST = 101;
// The automatic cash-out of a bet without one is at most this.
const DEFAULT_MOST = 5000;

const nothingOpen = signal(null);
const shown = (height: number) => times(height / 100);

export default function SharedCrash() {
  useEffect(followCrash, []);
  const [auto, setAuto] = useState("");
  const { round } = known.value;
  const now = tick.value;
  const bet = own.value;
  const control = controlOf(round, now, { own: bet, queued: queued.value !== null, asking: asking.value !== null && asking.value === bet?.id, live: live.value });
  const changed = useRef({ control, at: -CHANGED_MS });
  const before = changed.current.control;
  if (before !== control) changed.current = { control, at: performance.now() - (control === "bet" && (before === "queue" || before === "wait") ? CHANGED_MS : 0) };

  const acts = control !== "wait" && control !== "placed" && control !== "asking";
  const cap = round === null ? Infinity : hundredthsOf(round.cap);
  const aim = auto.trim() === "" ? null : Number(typed(auto, 2, language.value) ?? 0);
  const wrong = aim !== null && (aim < LEAST || aim > cap);
  const act = () => {
    if (session.value === null) return askToSignIn();
    if (control === "cashOut") return void cashOut();
    if (performance.now() - changed.current.at < CHANGED_MS) return;
    if (control === "queued") queued.value = null;
    if (control !== "bet" && control !== "queue") return;
    if (wrong) return say(t("crash.auto.invalid", { cap: shown(cap) }), "bad", undefined, true);
    const stake = seat.stake();
    if (stake === null) return;
    if (control === "bet") void placeBet({ ...stake, cashOut: aim });
    else queueBet({ ...stake, cashOut: aim });
  };
  useHotkeys(seat, act);

  const shows = lately.value ?? known.value;
  const seen = shows.round !== null && (live.value || isOver(shows.round)); // nothing is made up without a connection
  return (
    <>
      <div class="game-head">
        <a href="#/" class="ghost" aria-label={t("nav.games")}>←</a>
        <h1>{t("game.shared-crash")}</h1>
        <span class="tag" title={t("rtp.explain")}>{t("rtp", { percent: hundredths(99) })}</span>
        {round !== null && <span class="tag">{t("crash.round", { number: String(round.number) })}</span>}
      </div>
      <div class="board" data-round={round === null ? undefined : String(round.number)} data-status={round?.status} data-control={control}>
        <form class="panel controls" onSubmit={(e) => { e.preventDefault(); act(); }}>
          <div class="own">
            <Input label={t("crash.auto")} inputMode="decimal" placeholder={t("crash.auto.none", { most: shown(Math.min(cap, DEFAULT_MOST)) })} value={auto} aria-invalid={wrong} onInput={(e) => setAuto(e.currentTarget.value)} />
          </div>
          <div class="bar">
            <Wager seat={seat} />
            <button type="submit" class={`big ${acts && control !== "queued" ? "primary" : ""}`} aria-disabled={!acts || seat.busy.value}>
              {session.value === null ? t("bet.signin") : control === "cashOut" && bet !== null && round !== null ? <CashOut round={round} bet={bet} /> : labelOf(control)}
              {control === "placed" && bet !== null && <small>{amount(bet.wager, bet.token)}</small>}
            </button>
          </div>
        </form>
        <section class="panel stage" aria-label={t("stage")}>
          <div class="curve shared">
            <Curve round={shows.round} seen={seen} />
            <p class="phase" data-live={live.value}>{lately.value?.round != null && `${announced(lately.value.round)}. `}{phaseOf(round, now, bet)}</p>
            <p class="hidden" role="status">{round !== null && announced(round)}</p>
          </div>
          <Outcome table={{ last: result, revealed: resultShown, open: nothingOpen, took: seat.took }} />
        </section>
      </div>
      <Ended />
      <Bets of={shows} height={seen && shows.round !== null ? heightAt(shows.round, now) : 100} />
      <details class="panel how">
        <summary>{t("how")}</summary>
        <p>{t("game.shared-crash.how")}</p>
        <p class="further">
          {served.manual !== "" && <a href={`${served.manual}/fairness/shared-crash.html`} target="_blank" rel="noopener">{t("how.drawn")}</a>}
          {round !== null && <VerifyButton round={round} label={t("crash.proof.fixed")} />}
        </p>
      </details>
    </>
  );
}

/** The curve with the large number, drawn at each frame. */
function Curve({ round, seen }: { round: CrashRound | null; seen: boolean }) {
  const now = frame.value;
  const over = round !== null && isOver(round);
  const drawn = round !== null && seen && round.status !== "cancelled" && (over || (round.status === "flying" && !still()));
  const path = drawn ? pathTo(heightAt(round, now)) : "";
  return (
    <>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <g class={`risen ${over ? "loss" : ""}`}>
          <path class="area" d={drawn ? `${path}V100H0Z` : ""} />
          <path class="line" d={path} />
        </g>
      </svg>
      <output class={`roll ${over && drawn ? "loss" : ""}`} aria-hidden="true">{numberOf(round, now, seen)}</output>
    </>
  );
}

/** What the cash-out button would pay now. */
function CashOut({ round, bet }: { round: CrashRound; bet: OwnBet }) {
  const height = heightAt(round, frame.value);
  return <><span>{t("cashout", { pays: shown(height) })}</span> <small>{amount(payoutAt(bet, height), bet.token)}</small></>;
}

function labelOf(control: Control): string {
  return control === "bet" || control === "wait" || control === "cashOut" ? t("bet") : t(`crash.${control}`);
}

function closesIn(round: CrashRound, now: number): number {
  return Math.max(0, Math.ceil((Number(round.closesAt ?? now) - now) / 1000));
}

/** The large number: the height of the curve, or the seconds in which to bet. */
function numberOf(round: CrashRound | null, now: number, seen: boolean): string {
  if (round === null || !seen || round.status === "closed" || round.status === "cancelled") return "…";
  return round.status === "betting" ? String(closesIn(round, now)) : shown(heightAt(round, now));
}

/** What happens now, in words. */
function phaseOf(round: CrashRound | null, now: number, bet: OwnBet | null): string {
  if (round === null) return t(live.value ? "crash.none" : "loading");
  if (!live.value && !isOver(round)) return t("crash.offline");
  switch (round.status) {
    case "betting": return takesBets(round, now) ? t("crash.closes", { seconds: closesIn(round, now) }) : t("crash.closing");
    case "closed": return round.height === undefined ? t("crash.closing") : t(round.salt === undefined ? "crash.waiting" : "crash.starting", { height: String(round.height) });
    case "flying": return flightOf(round, now, bet);
    default: return isIdle(round, now) ? t("crash.idle") : announced(round);
  }
}

function flightOf(round: CrashRound, now: number, bet: OwnBet | null): string {
  if (round.recovered === true) return t("crash.recovered");
  if (bet === null || Number(bet.round) !== Number(round.number)) return t("crash.flying");
  const out = outAt(bet, heightAt(round, now));
  if (out === null) return t("crash.auto.at", { at: times(bet.cashOut) });
  return bet.cashedOut === undefined ? t("crash.reached", { at: shown(out) }) : t("crash.out", { at: shown(out), amount: amount(payoutAt(bet, out), bet.token) });
}

/** What is read out: once for each state. */
function announced(round: CrashRound): string {
  switch (round.status) {
    case "betting": return t("crash.open");
    case "closed": return t("crash.closed");
    case "flying": return t("crash.flying");
    case "cancelled": return t("crash.cancelled");
    default: return t("round.crashed", { at: times(round.point ?? 1) });
  }
}
