// The seal of a round: what its receipt was found to show.

import { t } from "../shared/i18n";
import { unable } from "./receipts";
import type { Seal as Kind } from "./receipts/rules";

const SIGNS = { right: "✓", wrong: "✗", missing: "–", waiting: "…", unable: "?" } as const;

export function Seal({ of }: { of: Kind | undefined }) {
  if (of === undefined) return null;
  const shown = of === "waiting" && unable.value ? "unable" : of;
  const says = t(`seal.${shown}`);
  return <span class={`seal ${shown === "right" ? "gain" : shown === "wrong" ? "loss" : "muted"}`} role="img" aria-label={says} title={says} data-seal={shown}>{SIGNS[shown]}</span>;
}
