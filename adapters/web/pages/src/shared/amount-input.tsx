// The input of every amount of a token: typed in the reader's language, checked while it is typed.

import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import "./amount-input.css";
import { language, t } from "./i18n";
import { outside, reading, written, type Bounds, type Integer } from "./money";

interface Props extends Bounds {
  label: string;
  /** The token's sign, beside the label and in every sentence. */
  symbol: string;
  decimals: number;
  /** The text as typed; `typed` or `allowed` reads it. */
  value: string;
  onInput: (text: string) => void;
  /** Buttons in the input's row, such as half and double. */
  children?: ComponentChildren;
  /** What stands below while nothing is wrong; the bounds if it is left out, nothing if it is null. */
  hint?: ComponentChildren;
  disabled?: boolean | undefined;
  readOnly?: boolean | undefined;
  required?: boolean | undefined;
  class?: string | undefined;
}

type Shown = (units: Integer) => string;

/** The amount of a text within its bounds, or null: what a form may send. */
export function allowed(text: string, decimals: number, bounds: Bounds): bigint | null {
  const read = reading(text, decimals, language.value);
  return "units" in read && outside(read.units, bounds) === null ? read.units : null;
}

/** The sentence about what is wrong with a text, or null. An empty text isn't wrong yet. */
function problem({ value, decimals, symbol, min = 0, max = 0, available = 0 }: Props, bounds: Bounds, shown: Shown): string | null {
  const read = reading(value, decimals, language.value);
  if ("choices" in read || ("wrong" in read && read.wrong === "empty")) return null;
  if ("units" in read) {
    const broken = outside(read.units, bounds);
    return broken === null ? null : t(`amount.${broken}`, { min: shown(min), max: shown(max), available: shown(available), symbol });
  }
  if (read.wrong === "fraction") return decimals === 0 ? t("amount.whole", { symbol }) : t("amount.fraction", { symbol, decimals });
  return t(`amount.${read.wrong}`, { example: written(15n * 10n ** BigInt(decimals), decimals, language.value) });
}

export function AmountInput(props: Props) {
  const { label, symbol, decimals, value, onInput, children, hint, disabled, readOnly, required, min, max } = props;
  const [id, note] = [useId(), useId()];
  const input = useRef<HTMLInputElement>(null);
  const shown: Shown = (units) => `${written(units, decimals, language.value)} ${symbol}`;
  const read = reading(value, decimals, language.value);
  const choices = "choices" in read && disabled !== true && readOnly !== true ? read.choices.map((sum) => written(sum, decimals, language.value)) : [];
  const wrong = readOnly === true ? null : problem(props, props, shown);
  const bounds = min === undefined ? undefined : max === undefined ? t("amount.from", { min: shown(min) }) : t("amount.range", { min: shown(min), max: shown(max) });
  return (
    <div class="field amount-input">
      <label for={id}>{label}<span class="muted">{symbol}</span></label>
      <div class="joined">
        <input ref={input} id={id} class={props.class} inputMode="decimal" autoComplete="off" value={value} disabled={disabled} readOnly={readOnly} required={required}
          aria-invalid={wrong !== null || choices.length > 0} aria-describedby={note} onInput={(e) => onInput(e.currentTarget.value)} />
        {children}
      </div>
      <small id={note} class={wrong === null ? "muted" : "loss"} role="status">
        {choices.length > 0 ? t(`amount.mean.${choices.length === 1 ? "one" : "two"}`, { one: choices[0] ?? "", other: choices[1] ?? "" }) : (wrong ?? (hint === undefined ? bounds : hint))}
      </small>
      {choices.length > 0 && (
        <div class="joined" role="group" aria-labelledby={note}>
          {choices.map((text) => <button type="button" key={text} onClick={() => { onInput(text); input.current?.focus(); }}>{text}</button>)}
        </div>
      )}
    </div>
  );
}
