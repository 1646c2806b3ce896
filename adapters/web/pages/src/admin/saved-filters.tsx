// Filters of a list that the reader saved under names, in this browser.

import { useState } from "preact/hooks";
import { Input } from "../shared/fields";
import { keep, keptJson } from "../shared/kept";
import { readSaved, withoutSaved, withSaved, type Saved } from "./saved";
import { t } from "./text";

export function SavedFilters({ view, filtered }: { view: string; filtered: boolean }) {
  const key = `casino.console.filters.${view}`;
  const [saved, setSaved] = useState<Saved>(() => readSaved(keptJson(key)));
  const [name, setName] = useState("");
  const store = (now: Saved) => {
    keep(key, JSON.stringify(now));
    setSaved(now);
  };
  const save = () => {
    const now = withSaved(readSaved(keptJson(key)), name, location.hash);
    if (now === null) return;
    store(now);
    setName("");
  };
  const all = Object.entries(saved).sort(([a], [b]) => a.localeCompare(b));
  return (
    <details class="saved">
      <summary>{t("saved.title")}{all.length > 0 && ` (${all.length})`}</summary>
      <ul>
        {all.map(([each, at]) => (
          <li key={each}>
            <a class="button" href={at} aria-current={at === location.hash ? "true" : undefined}>{each}</a>
            <button type="button" class="ghost round" aria-label={t("saved.remove", { name: each })} onClick={() => store(withoutSaved(saved, each))}>✕</button>
          </li>
        ))}
      </ul>
      {!filtered && all.length === 0 && <p class="muted">{t("saved.none")}</p>}
      {filtered && (
        <form class="row" onSubmit={(e) => { e.preventDefault(); save(); }}>
          <Input label={t("saved.name")} required maxLength={40} value={name} onInput={(e) => setName(e.currentTarget.value)} />
          <button type="submit">{t("saved.save")}</button>
        </form>
      )}
    </details>
  );
}
