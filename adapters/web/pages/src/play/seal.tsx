// The seal of a round: what its receipt was found to show.

import { t } from "../shared/i18n";
import { keptKeys, unable, unkept } from "./receipts";
import type { Seal as Kind } from "./receipts/rules";

const SIGNS = { right: "✓", wrong: "✗", missing: "–", waiting: "…", unable: "?" } as const;
const colour = (of: keyof typeof SIGNS) => (of === "right" ? "gain" : of === "wrong" ? "loss" : "muted");

interface Props {
  of: Kind | undefined;
  /** Whether the meaning is written beside the sign. */
  words?: boolean;
}

export function Seal({ of, words = false }: Props) {
  if (of === undefined) return null;
  const shown = of === "waiting" && unable.value ? "unable" : of;
  const says = t(`seal.${shown}`);
  if (words) return <small class={`seal ${colour(shown)}`} data-seal={shown}><span aria-hidden="true">{SIGNS[shown]}</span> {says}</small>;
  return <span class={`seal ${colour(shown)}`} role="img" aria-label={says} title={says} data-seal={shown}>{SIGNS[shown]}</span>;
}

/** What each seal means; nothing where no receipts are kept. */
export function Seals() {
  if (unkept.value || keptKeys.value.length === 0) return null;
  return (
    <details class="panel filters">
      <summary>{t("seals.title")}</summary>
      <ul class="seals">
        {(Object.keys(SIGNS) as (keyof typeof SIGNS)[]).map((each) => (
          <li key={each}><span class={`seal ${colour(each)}`} aria-hidden="true">{SIGNS[each]}</span> <span><strong>{t(`seal.${each}`)}.</strong> {t(`seal.${each}.means`)}</span></li>
        ))}
      </ul>
    </details>
  );
}
