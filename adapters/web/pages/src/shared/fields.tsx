// Fields of forms: an input or a choice below its label.

import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

type Attributes = JSX.IntrinsicElements["input"];

/** An input; beside stands in its label's line, its children below it. */
export function Input({ label, beside, children, ...input }: Attributes & { label: string; beside?: string; children?: ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}{beside !== undefined && <span>{beside}</span>}</label>
      <input id={id} autoComplete="off" {...(input as Attributes)} />
      {children}
    </div>
  );
}

interface SelectProps<T extends string | number> {
  label: string;
  /** The chosen value. */
  value: T;
  /** The values with their names. */
  options: readonly (readonly [T, string])[];
  /** The name of no choice, if there may be none. */
  nothing?: string | undefined;
  name?: string;
  class?: string;
  disabled?: boolean;
  onFocus?: () => void;
  onChange?: (value: T) => void;
  /** What stands below. */
  children?: ComponentChildren;
}

export function Select<T extends string | number>({ label, value, options, nothing, onChange, children, ...select }: SelectProps<T>) {
  const id = useId();
  const all = nothing === undefined ? options : [["" as T, nothing] as const, ...options];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} {...select} onChange={(e) => onChange?.(all[e.currentTarget.selectedIndex]?.[0] ?? value)}>
        {all.map(([of, says]) => <option key={of} value={of} selected={of === value}>{says}</option>)}
      </select>
      {children}
    </div>
  );
}
