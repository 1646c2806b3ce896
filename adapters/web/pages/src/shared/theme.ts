// Light and dark: the system's setting, or the reader's choice.

import { effect, signal } from "@preact/signals";
import { keep, kept } from "./kept";

export type Theme = "system" | "light" | "dark";
const KEPT = "casino.theme";

function chosen(): Theme {
  const value = kept(KEPT);
  return value === "light" || value === "dark" ? value : "system";
}

export const theme = signal<Theme>(chosen());
const system = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);

export function beginTheme(): void {
  system.addEventListener("change", () => (systemIsDark.value = system.matches));
  effect(() => {
    const root = document.documentElement;
    if (theme.value === "system") delete root.dataset.theme;
    else root.dataset.theme = theme.value;
    keep(KEPT, theme.value);
  });
}

/** Whether the page is dark now. */
export function dark(): boolean {
  return theme.value === "dark" || (theme.value === "system" && systemIsDark.value);
}
