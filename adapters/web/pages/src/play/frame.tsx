// The frame of every board: the amount, its own controls and the button beside it, the stage, and
// the last round's result.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { language, maybe, t } from "../shared/i18n";
import { entry, times } from "../shared/money";
import { session } from "../shared/session";
import { amount, balances, token } from "./store";
import type { Table } from "./table";

interface Props {
  table: Table;
  /** The player's choices beside the amount. */
  controls?: ComponentChildren;
  /** Buttons of a step-by-step round, in place of the bet button. */
  actions?: ComponentChildren;
  /** Where the round is shown. */
  children: ComponentChildren;
  /** Places the bet; boards without it have only actions. */
  onBet?: () => void;
  betLabel?: string;
  /** The amount is set elsewhere, such as by chips on a table. */
  fixed?: bigint;
}

export function Frame({ table, controls, actions, children, onBet, betLabel, fixed }: Props) {
  const open = table.open.value !== null;
  const bet = () => !table.busy.value && onBet?.();
  return (
    <div class="board">
      <form class="panel controls" onSubmit={(e) => { e.preventDefault(); bet(); }}>
        <Wager table={table} locked={open} {...(fixed !== undefined && { fixed })} />
        {controls}
        {open ? actions : (
          <button type="submit" class="primary big" disabled={onBet === undefined} aria-disabled={table.busy.value}>
            {session.value === null ? t("bet.signin") : (betLabel ?? t("bet"))}
          </button>
        )}
      </form>
      <section class="panel stage" aria-label={t("stage")}>
        {children}
        <Outcome table={table} />
      </section>
    </div>
  );
}

function Wager({ table, locked, fixed }: { table: Table; locked: boolean; fixed?: bigint }) {
  const id = useId();
  const of = token.value;
  if (of === null) return null;
  const change = (by: (units: bigint) => bigint) => () => {
    const now = table.staked() ?? 0n;
    const limits = [BigInt(of.minWager), BigInt(of.maxWager)] as const;
    const next = by(now);
    table.wager.value = entry(next < limits[0] ? limits[0] : next > limits[1] ? limits[1] : next, of.decimals, language.value);
  };
  const balance = balances.value[of.token] ?? 0n;
  return (
    <div class="field">
      <label for={id}>{t("wager")}<span class="muted">{of.symbol}</span></label>
      <div class="joined">
        <input id={id} class="wager" inputMode="decimal" autoComplete="off" disabled={locked} readOnly={fixed !== undefined}
          value={fixed === undefined ? table.wager.value : entry(fixed, of.decimals, language.value)}
          onInput={(e) => (table.wager.value = e.currentTarget.value)} />
        {fixed === undefined && (
          <>
            <button type="button" disabled={locked} onClick={change((units) => units / 2n)} aria-label={t("wager.half")}>½</button>
            <button type="button" disabled={locked} onClick={change((units) => units * 2n)} aria-label={t("wager.double")}>2×</button>
            <button type="button" disabled={locked} onClick={change(() => balance)} aria-label={t("wager.max")}>{t("max")}</button>
          </>
        )}
      </div>
    </div>
  );
}

/** The last round's result and payout: shown at once and read out. */
function Outcome({ table }: { table: Table }) {
  const round = table.last.value;
  const [flash, setFlash] = useState("");
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (round === null || round.id === seen.current) return;
    seen.current = round.id;
    setFlash("");
    const frame = requestAnimationFrame(() => setFlash("flash"));
    return () => cancelAnimationFrame(frame);
  }, [round]);
  if (round === null || table.open.value !== null) return <p class="outcome" role="status" aria-live="polite" />;
  const won = BigInt(round.payout) > BigInt(round.wager);
  const some = BigInt(round.payout) > 0n;
  return (
    <p class={`outcome ${won ? "won" : some ? "some" : "lost"} ${flash}`} role="status" aria-live="polite" data-round={round.id} data-took={Math.round(table.took.value ?? 0)}>
      <strong>{round.outcome === null ? t("outcome.void") : won ? t("outcome.won") : some ? t("outcome.returned") : t("outcome.lost")}</strong>
      <span class="times">{times(round.multiplier)}</span>
      <span>{some ? `+${amount(round.payout, round.token)}` : `−${amount(round.wager, round.token)}`}</span>
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
  const id = useId();
  const set = (text: string) => {
    const number = Number(text.replace(",", "."));
    if (text !== "" && Number.isFinite(number)) onChange(Math.min(max, Math.max(min, number)));
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="number" value={value} min={min} max={max} step={step} disabled={locked === true} onChange={(e) => set(e.currentTarget.value)} />
    </div>
  );
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
