// The rounds that ended last. Each opens its verification.

import { useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { lazily } from "../../shared/lazily";
import type { CrashRound } from "./news";
import { known } from "./store";

const Verification = lazily(() => import("./verification"));
const HIGH = 2;

/** The rules of bets on the shared crash. */
export const SHARED_RULES = "crash/2";

export function Ended() {
  const [opened, open] = useState<CrashRound | null>(null);
  const { ended } = known.value;
  return (
    <>
      <ul class="results ended" aria-label={t("crash.ended")}>
        {ended.map((round) => {
          const says = round.point === undefined ? "–" : times(round.point);
          return (
            <li key={`${round.chain} ${String(round.number)}`} class={(round.point ?? 0) >= HIGH ? "gain" : ""}>
              <button type="button" data-ended={String(round.number)} aria-label={t("crash.verify", { number: String(round.number), at: says })} onClick={() => open(round)}>{says}</button>
            </li>
          );
        })}
      </ul>
      {opened !== null && <Verification chain={opened.chain} number={String(opened.number)} onClose={() => open(null)} />}
    </>
  );
}

/** A button that opens a round's verification. */
export function VerifyButton({ round, label }: { round: Pick<CrashRound, "chain" | "number">; label: string }) {
  const [opened, open] = useState(false);
  return (
    <>
      <button type="button" id="verify" onClick={() => open(true)}>{label}</button>
      {opened && <Verification chain={round.chain} number={String(round.number)} onClose={() => open(false)} />}
    </>
  );
}
