// The reader's choices, stored for the next visit. If the browser has no storage they are
// forgotten, and the page works all the same.

import { effect, signal, type Signal } from "@preact/signals";

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** A kept value that was JSON; null for none, or a damaged one. */
export function keptJson(name: string): unknown {
  try {
    return JSON.parse(kept(name) ?? "null");
  } catch {
    return null;
  }
}

/** A kept switch. */
export function keptSwitch(name: string, first: "on" | "off" = "off"): Signal<boolean> {
  const on = signal((kept(name) ?? first) === "on");
  effect(() => keep(name, on.value ? "on" : "off"));
  return on;
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice is for this visit only.
  }
}
