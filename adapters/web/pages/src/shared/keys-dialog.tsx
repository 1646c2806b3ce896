import type { Signal } from "@preact/signals";
import { Dialog } from "./dialog";
import { t } from "./i18n";
import "./keys-dialog.css";

interface Props {
  /** Whether the keys act. */
  on: Signal<boolean>;
  /** What the switch turns on. */
  label: string;
  explain: string;
  /** Each key or keys, and what they do. */
  keys: readonly (readonly [string | string[], string])[];
  onClose: () => void;
}

/** The keys of a page, and the switch that turns them on or off. */
export function KeysDialog({ on, label, explain, keys, onClose }: Props) {
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      <label class="check"><input type="checkbox" checked={on.value} onChange={(e) => (on.value = e.currentTarget.checked)} />{label}</label>
      <p class="muted">{explain}</p>
      <dl class="keys">
        {keys.map(([all, does]) => <div key={does}><dt>{[all].flat().map((each) => <kbd key={each}>{each}</kbd>)}</dt><dd>{does}</dd></div>)}
      </dl>
    </Dialog>
  );
}
