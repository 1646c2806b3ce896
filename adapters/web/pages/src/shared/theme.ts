// Light and dark: as the system has it, or as was chosen here.

import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const KEPT = "casino.theme";

function kept(): Theme {
  const value = localStorage.getItem(KEPT);
  return value === "light" || value === "dark" ? value : "system";
}

export const theme = signal<Theme>(kept());

export function beginTheme(): void {
  effect(() => {
    const root = document.documentElement;
    if (theme.value === "system") delete root.dataset.theme;
    else root.dataset.theme = theme.value;
    localStorage.setItem(KEPT, theme.value);
  });
}

export function dark(): boolean {
  return theme.value === "dark" || (theme.value === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
}
