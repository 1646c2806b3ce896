// Keys for bets. They are off until the player turns them on, and never act while text is typed.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../shared/i18n";
import { keptSwitch } from "../shared/kept";
import { KeysDialog } from "../shared/keys-dialog";
import { running, stopAuto } from "./auto";
import { turbo } from "./motion";
import { token } from "./store";
import type { Seat } from "./seat";
import { changeWager } from "./wager";

const hotkeys = keptSwitch("casino.hotkeys");

/** Whether the keys are explained now. */
const explaining = signal(false);

/** The keys and the texts that explain them, in the order of the dialog. */
const KEYS = [["Space", "key.bet"], ["A", "key.half"], ["S", "key.double"], ["D", "key.least"], ["T", "key.turbo"], ["Q", "key.stop"], ["?", "key.help"]] as const;

/** Whether a key belongs to what has the focus: text, a choice, a pressed button, a dialog. */
function taken(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement;
  const typing = at.closest("input:not([type=radio]):not([type=range]), select, textarea, [contenteditable], dialog") !== null;
  return typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat || (event.key === " " && at.closest("button, a, summary, input") !== null);
}

export function useHotkeys(seat: Seat, bet: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (taken(event)) return;
      if (event.key === "?") return void (explaining.value = true);
      const of = token.value;
      if (!hotkeys.value || of === null) return;
      const acts: Record<string, () => void> = {
        " ": bet,
        a: () => changeWager(seat, of, (units) => units / 2n),
        s: () => changeWager(seat, of, (units) => units * 2n),
        d: () => changeWager(seat, of, () => 0n),
        t: () => (turbo.value = !turbo.value),
        q: stopAuto,
      };
      const act = acts[event.key.toLowerCase()];
      if (act === undefined || (running.value !== null && event.key.toLowerCase() !== "q")) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

export function BetKeys() {
  if (!explaining.value) return null;
  const keys = KEYS.map(([key, text]) => [key === "Space" ? t("key.space") : key, t(text)] as const);
  return <KeysDialog on={hotkeys} label={t("keys.on")} explain={t("keys.explain")} keys={keys} onClose={() => (explaining.value = false)} />;
}
