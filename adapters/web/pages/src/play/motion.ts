// Whether boards animate: not with turbo, nor for readers who asked for less motion.

import { keptSwitch } from "../shared/kept";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** The player's choice of results without animations. */
export const turbo = keptSwitch("casino.turbo");

/** Whether results are shown at once. */
export function still(): boolean {
  return turbo.value || reduced.matches;
}
