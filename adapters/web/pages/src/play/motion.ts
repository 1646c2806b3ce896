// Whether boards animate: not with turbo, nor for readers who asked for less motion.

import { effect, signal } from "@preact/signals";
import { keep, kept } from "../shared/kept";

const KEPT = "casino.turbo";
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** The player's choice of results without animations. */
export const turbo = signal(kept(KEPT) === "on");
effect(() => keep(KEPT, turbo.value ? "on" : "off"));

/** Whether results are shown at once. */
export function still(): boolean {
  return turbo.value || reduced.matches;
}
