// Reads shown data again after events: at once, then at most every two seconds while more come.

import { signal } from "@preact/signals";

/** Counts events, so that shown data is read again. */
export const happened = signal(0);

const PAUSE_MS = 2000;
let last = 0;
let soon: ReturnType<typeof setTimeout> | undefined;

export function refresh(): void {
  soon ??= setTimeout(() => {
    soon = undefined;
    last = Date.now();
    happened.value++;
  }, Math.max(0, last + PAUSE_MS - Date.now()));
}
