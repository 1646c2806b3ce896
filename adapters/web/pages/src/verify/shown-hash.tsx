import { useId, useState } from "preact/hooks";
import { t } from "../shared/i18n";

/** Compares the hash that was shown before the bet, typed in by the reader, with the round's. */
export function Shown({ hash }: { hash: string }) {
  const [id, saidId] = [useId(), useId()];
  const [own, setOwn] = useState("");
  const given = own.trim().toLowerCase();
  const same = given === hash;
  return (
    <div class="field own">
      <label for={id}>{t("commitment.own")}</label>
      <input id={id} class="hash" autoComplete="off" spellcheck={false} value={own} aria-describedby={saidId} onInput={(e) => setOwn(e.currentTarget.value)} />
      <small id={saidId} class={given === "" ? "muted" : same ? "gain" : "loss"} role="status">
        {given === "" ? t("commitment.keep") : same ? `✓ ${t("commitment.kept")}` : `✗ ${t("commitment.changed")}`}
      </small>
    </div>
  );
}
