// The reality check: after the operator's time (CASINO_REALITY_CHECK) the page states how long the
// player has played and with what result, and asks whether to go on. Auto-bet waits meanwhile.

import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../shared/api";
import { served } from "../shared/config";
import { Dialog } from "../shared/dialog";
import { Fact } from "../shared/fact";
import { happened } from "../shared/happened";
import { language, t } from "../shared/i18n";
import { keep, keptJson } from "../shared/kept";
import { complain } from "../shared/notices";
import { session, signOut } from "../shared/session";
import { Net } from "./net";
import { animating, reminding } from "./pauses";
import "./reminder.css";
import { advance, isDue, type Sitting } from "./sitting";
import { amount } from "./store";

const KEPT = "casino.sitting";
const NOTE_MS = 20_000;

/** The present sitting; null before its first figures. */
export const sitting = signal<Sitting | null>(null);

function set(next: Sitting): void {
  keep(KEPT, JSON.stringify(next));
  sitting.value = next;
  if (isDue(next, served.realityCheckMs, Date.now())) reminding.value = true;
}

/** Reads the figures of the sitting; other tabs' are in it. */
async function noteSitting(): Promise<void> {
  const wallet = session.value?.wallet;
  if (wallet === undefined) return;
  const read = await api.get("/account/session");
  if (session.value?.wallet === wallet) set(advance(keptJson(KEPT) as Sitting | null, wallet, read, Date.now()));
}

export function beginSittings(): void {
  effect(() => {
    sitting.value = null;
    reminding.value = false;
    if (session.value === null) return undefined;
    const note = () => void noteSitting().catch(() => {}); // the next note has what this one missed
    note();
    const timer = setInterval(note, NOTE_MS);
    return () => clearInterval(timer);
  });
}

/** A length of time in hours and minutes. */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const unit = (value: number, of: "hour" | "minute") => value.toLocaleString(language.value, { style: "unit", unit: of, unitDisplay: "long" });
  return [...(minutes >= 60 ? [unit(Math.floor(minutes / 60), "hour")] : []), unit(minutes % 60, "minute")].join(" ");
}

/** How long the sitting lasts, and what was wagered and won or lost in it. */
function SittingFigures() {
  const now = sitting.value;
  if (now === null) return <p class="muted">{t("loading")}</p>;
  const lines = Object.entries(now.sums).filter(([, { rounds }]) => rounds > 0);
  return (
    <dl class="shown">
      <Fact name={t("sitting.time")}>{duration(now.seen - now.began)}</Fact>
      {lines.length === 0 && <Fact name={t("sitting.wagered")}>{t("limits.nothing")}</Fact>}
      {lines.map(([mint, sum]) => (
        <Fact key={mint} name={t("sitting.rounds", { rounds: sum.rounds })}>{t("sitting.wagered")} {amount(BigInt(sum.wagered), mint)}, {t("sitting.net")} <Net of={BigInt(sum.net)} token={mint} /></Fact>
      ))}
    </dl>
  );
}

/** The present sitting, read again after events. */
export function SittingPanel() {
  const events = happened.value;
  useEffect(() => void noteSitting().catch(complain), [events]);
  return <section class="panel"><h2>{t("sitting.title")}</h2><SittingFigures /></section>;
}

/** The dialog; it waits for an animation to end. Closing it is going on. */
export function Reminder() {
  if (!reminding.value || animating.value || sitting.value === null) return null;
  const answer = () => {
    if (sitting.value !== null) set({ ...sitting.value, asked: Date.now() });
    reminding.value = false;
  };
  return (
    <Dialog title={t("reminder.title")} onClose={answer} firm>
      <p>{t("reminder.explain")}</p>
      <SittingFigures />
      <div class="stack" id="reminder">
        <button type="button" class="primary" onClick={answer}>{t("reminder.on")}</button>
        <a class="button" href="#/limits" onClick={answer}>{t("limits.pause")}</a>
        <button type="button" onClick={() => { answer(); signOut().catch(complain); }}>{t("signout")}</button>
      </div>
    </Dialog>
  );
}
