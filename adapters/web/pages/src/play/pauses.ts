// What holds bets back that are placed without a click, and what a reminder waits for.

import { computed, signal } from "@preact/signals";
import { connected } from "../shared/connection";

/** Whether a board animates a result; the table sets it. */
export const animating = signal(false);
/** How many bets and steps are in progress: events may tell of a round before its answer comes. */
export const underway = signal(0);
/** Whether a reminder of the time is shown, or waits for an animation. */
export const reminding = signal(false);

/** Whether the tab is in the background. */
export const hidden = signal(document.hidden);
document.addEventListener("visibilitychange", () => (hidden.value = document.hidden));

/** Whether auto-bet has to wait: the page is hidden, the connection is lost, or a reminder is due. */
export const paused = computed(() => hidden.value || !connected.value || reminding.value);
