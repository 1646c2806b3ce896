// The keys for bets, and the switch that turns them on.

import { Dialog } from "../shared/dialog";
import { t } from "../shared/i18n";
import { explaining, hotkeys, KEYS } from "./hotkeys";

export function KeysDialog() {
  if (!explaining.value) return null;
  return (
    <Dialog title={t("keys.title")} onClose={() => (explaining.value = false)}>
      <label class="check"><input type="checkbox" checked={hotkeys.value} onChange={(e) => (hotkeys.value = e.currentTarget.checked)} />{t("keys.on")}</label>
      <dl class="keys">
        {KEYS.map(([key, text]) => <div key={key}><dt><kbd>{key === "Space" ? t("key.space") : key}</kbd></dt><dd>{t(text)}</dd></div>)}
      </dl>
      <p class="muted">{t("keys.explain")}</p>
    </Dialog>
  );
}
