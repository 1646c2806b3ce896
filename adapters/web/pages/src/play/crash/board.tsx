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
import { controlOf, heightAt, hundredthsOf, isOver, outAt, pathTo, payoutAt, takesBets, type Control, type CrashRound, type OwnBet } from "./news";
import { asking, cashOut, followCrash, known, live, own, placeBet, queueBet, queued, result, resultShown, seat, serviceNow, SHARED_CRASH } from "./store";

const TICK_MS = 250;
const CHANGED_MS = 500; // a press so soon after a change of the button was meant for what it did before
const LEAST = 101;

const nothingOpen = signal(null);
const shown = (height: number) => times(height / 100);

/** Calls a function on each frame while wanted. */
function useFrames(wanted: boolean, paint: () => void): void {
  const latest = useRef(paint);
  latest.current = paint;
  useEffect(() => {
    if (!wanted) return undefined;
    let frame = requestAnimationFrame(function step() {
      latest.current();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted]);
}

function useTicks(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Replaces an element's text without another text node, which is rendered too. */
function write(element: HTMLElement | null, text: string): void {
  const node = element?.firstChild;
  if (node != null && node.nodeValue !== text) node.nodeValue = text;
}

export default function SharedCrash() {
  useEffect(followCrash, []);
  useTicks();
  const [auto, setAuto] = useState("");
  const { round } = known.value;
  const now = serviceNow();
  const height = round === null ? 100 : heightAt(round, now);
  const bet = own.value;
  const control = controlOf(round, now, { own: bet, queued: queued.value !== null, asking: asking.value !== null && asking.value === bet?.id, live: live.value });
  const changed = useRef({ control, at: 0 });
  if (changed.current.control !== control) changed.current = { control, at: performance.now() };

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

  const [number, line, area, label, pays] = [useRef<HTMLOutputElement>(null), useRef<SVGPathElement>(null), useRef<SVGPathElement>(null), useRef<HTMLSpanElement>(null), useRef<HTMLElement>(null)];
  const seen = round !== null && (live.value || isOver(round)); // nothing is made up without a connection
  const rising = seen && round.status === "flying";
  const draw = (at: number) => {
    write(number.current, shown(at));
    const path = pathTo(at);
    line.current?.setAttribute("d", path);
    area.current?.setAttribute("d", `${path}V100H0Z`);
    if (control !== "cashOut" || bet === null) return;
    write(label.current, t("cashout", { pays: shown(at) }));
    write(pays.current, amount(payoutAt(bet, at), bet.token));
  };
  useFrames(rising && !still(), () => round !== null && draw(heightAt(round, serviceNow())));

  const over = round !== null && isOver(round);
  const drawn = seen && round.status !== "cancelled" && (over || (rising && !still()));
  const path = pathTo(height);
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
            <Input label={t("crash.auto")} inputMode="decimal" placeholder={t("crash.auto.none")} value={auto} aria-invalid={wrong} onInput={(e) => setAuto(e.currentTarget.value)} />
          </div>
          <div class="bar">
            <Wager seat={seat} />
            <button type="submit" class={`big ${acts && control !== "queued" ? "primary" : ""}`} aria-disabled={!acts || seat.busy.value}>
              <span ref={label} key={control}>{session.value === null ? t("bet.signin") : labelOf(control, height)}</span>
              {control === "cashOut" && bet !== null && <small ref={pays}>{amount(payoutAt(bet, height), bet.token)}</small>}
              {control === "placed" && bet !== null && <small>{amount(bet.wager, bet.token)}</small>}
            </button>
          </div>
        </form>
        <section class="panel stage" aria-label={t("stage")}>
          <div class="curve shared">
            <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
              {drawn && (
                <g class={`risen ${over ? "loss" : ""}`}>
                  <path ref={area} class="area" d={`${path}V100H0Z`} />
                  <path ref={line} class="line" d={path} />
                </g>
              )}
            </svg>
            <output ref={number} class={`roll ${over && round.status !== "cancelled" ? "loss" : ""}`} aria-hidden="true">{numberOf(round, now, seen)}</output>
            <p class="phase" data-live={live.value}>{phaseOf(round, now, bet)}</p>
            <p class="hidden" role="status">{round !== null && announced(round)}</p>
          </div>
          <Outcome table={{ last: result, revealed: resultShown, open: nothingOpen, took: seat.took }} />
        </section>
      </div>
      <Ended />
      <Bets height={seen ? height : 100} />
      <details class="panel how">
        <summary>{t("how")}</summary>
        <p>{t(`game.${SHARED_CRASH}.how`)}</p>
        <p class="further">
          {served.manual !== "" && <a href={`${served.manual}/fairness/shared-crash.html`} target="_blank" rel="noopener">{t("how.drawn")}</a>}
          {round !== null && <VerifyButton round={round} label={t("crash.proof.fixed")} />}
        </p>
      </details>
    </>
  );
}

function labelOf(control: Control, height: number): string {
  if (control === "cashOut") return t("cashout", { pays: shown(height) });
  return control === "bet" || control === "wait" ? t("bet") : t(`crash.${control}`);
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
    default: return announced(round);
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
