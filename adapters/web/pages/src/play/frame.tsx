// The frame of every board: its own controls, the amount and the bet button; the stage; and the
// last round's result. On a phone the amount and the button stay at the lower edge of the screen.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Input } from "../shared/fields";
import { lazily } from "../shared/lazily";
import { maybe, t, times } from "../shared/i18n";
import { session } from "../shared/session";
import { running } from "./auto";
import { turbo } from "./motion";
import { useHotkeys } from "./hotkeys";
import { play } from "./sound";
import { signedAmount, type Round } from "./store";
import type { Table } from "./table";
import { Wager } from "./wager";

const AutoPanel = lazily(async () => ({ default: (await import("./auto-panel")).AutoPanel }));

interface Props {
  table: Table;
  /** The player's choices beside the amount. */
  controls?: ComponentChildren;
  /** Buttons of a step-by-step round, in place of the bet button; such boards always have some. */
  actions?: ComponentChildren;
  /** Where the round is shown. */
  children: ComponentChildren;
  /** Places the bet; boards without it have only actions. */
  onBet?: () => Promise<unknown>;
  betLabel?: string;
  /** The amount is set elsewhere, such as by chips on a table. */
  fixed?: bigint;
  /** How many milliseconds the board animates a settled round; the result is shown then. */
  motion?: (round: Round) => number;
}

const still = () => 0;

export function Frame({ table, controls, actions, children, onBet, betLabel, fixed, motion }: Props) {
  const [auto, setAuto] = useState(false);
  const open = table.open.value !== null;
  const single = actions === undefined; // rounds by steps are not played automatically
  const automatic = running.value !== null;
  table.motion = motion ?? still;
  const bet = () => {
    if (!table.revealed.value) return table.reveal(); // a press during the animation skips it
    // A key may come before this is rendered again, so the present state is read.
    if (table.open.value === null && !table.busy.value && running.value === null) void onBet?.();
  };
  useHotkeys(table, bet);
  return (
    <div class={`board ${open ? "opened" : ""}`}>
      <form class="panel controls" onSubmit={(e) => { e.preventDefault(); bet(); }}>
        {single && session.value !== null && <Ways auto={auto} onChange={setAuto} />}
        <fieldset class="own" disabled={automatic}>{controls}</fieldset>
        <div class="bar">
          {!open && <Wager seat={table} {...(fixed !== undefined && { fixed })} />}
          {open ? <div class="actions">{actions}</div> : !(auto && single) && (
            <button type="submit" class="primary big" disabled={onBet === undefined} aria-disabled={table.busy.value}>
              {session.value === null ? t("bet.signin") : !table.revealed.value ? t("skip.motion") : (betLabel ?? t("bet"))}
            </button>
          )}
        </div>
        {auto && single && !open && onBet !== undefined && <AutoPanel table={table} bet={onBet} fixed={fixed !== undefined} />}
      </form>
      <section class="panel stage" aria-label={t("stage")} onClick={() => table.reveal()}>
        <div class="own" inert={automatic}>{children}</div>
        <Outcome table={table} />
      </section>
    </div>
  );
}

/** By hand or automatic, and turbo. */
function Ways({ auto, onChange }: { auto: boolean; onChange: (auto: boolean) => void }) {
  return (
    <div class="ways">
      <div class="segments" role="group" aria-label={t("ways")}>
        <button type="button" aria-pressed={!auto} disabled={running.value !== null} onClick={() => onChange(false)}>{t("ways.manual")}</button>
        <button type="button" aria-pressed={auto} disabled={running.value !== null} onClick={() => onChange(true)}>{t("ways.auto")}</button>
      </div>
      <button type="button" class="turbo" aria-pressed={turbo.value} title={t("turbo.explain")} onClick={() => (turbo.value = !turbo.value)}>{t("turbo")}</button>
    </div>
  );
}

/** The last round's result and what it won or lost: shown once the board has shown it, and read out. */
export function Outcome({ table }: { table: Pick<Table, "last" | "revealed" | "open" | "took"> }) {
  const round = table.last.value;
  const shown = table.revealed.value;
  const [flash, setFlash] = useState("");
  const seen = useRef(round?.id); // the result of an earlier visit isn't news
  const net = round === null ? 0n : BigInt(round.payout) - BigInt(round.wager);
  const kind = round?.outcome == null ? "void" : net > 0n ? "won" : net < 0n ? "lost" : "returned";
  useEffect(() => {
    if (round === null || !shown || round.id === seen.current) return;
    seen.current = round.id;
    if (kind === "won" || kind === "lost") play(kind);
    setFlash("");
    const frame = requestAnimationFrame(() => setFlash("flash"));
    return () => cancelAnimationFrame(frame);
  }, [round, shown]);
  if (round === null || !shown || table.open.value !== null) return <p class="outcome" role="status" aria-live="polite" />;
  return (
    <p class={`outcome ${kind} ${flash}`} role="status" aria-live="polite" data-round={round.id} data-took={Math.round(table.took.value ?? 0)}>
      <strong>{t(`outcome.${kind}`)}</strong>
      <span class="times">{times(round.multiplier)}</span>
      <span>{signedAmount(net, round.token)}</span>
    </p>
  );
}

interface ChoiceProps<T extends string | number> {
  label: string;
  options: readonly T[];
  value: T;
  onChange: (value: T) => void;
  locked?: boolean;
  name?: (option: T) => string;
}

/** A choice of a few options, side by side. */
export function Choice<T extends string | number>({ label, options, value, onChange, locked, name }: ChoiceProps<T>) {
  const group = useId();
  return (
    <fieldset class="field choice" disabled={locked === true}>
      <legend>{label}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option} class={option === value ? "on" : ""}>
            <input type="radio" name={group} checked={option === value} onChange={() => onChange(option)} />
            <span>{name?.(option) ?? maybe(`option.${option}`) ?? String(option)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface NumberProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  locked?: boolean;
  onChange: (value: number) => void;
}

/** A number, whole unless step has decimals, with a slider and an input. */
export function Amount({ label, value, min, max, step = 1, locked, onChange }: NumberProps) {
  const set = (text: string) => {
    const number = Number(text.replace(",", "."));
    if (text !== "" && Number.isFinite(number)) onChange(Math.min(max, Math.max(min, number)));
  };
  return <Input label={label} type="number" value={value} min={min} max={max} step={step} disabled={locked === true} onChange={(e) => set(e.currentTarget.value)} />;
}

/** A fact beside the controls, such as what a win pays. */
export function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <span class="muted">{label}</span>
      <strong>{children}</strong>
    </div>
  );
}
