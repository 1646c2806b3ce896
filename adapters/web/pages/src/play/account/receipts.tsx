// What this browser keeps of the player's receipts, what they show against the service, and the files
// to hand on.

import { useEffect, useState } from "preact/hooks";
import { language, t } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { save } from "../../shared/save";
import { session } from "../../shared/session";
import { accused, changedKeys, keeper, keptKeys, receiptsChanged, unable, unkept } from "../receipts";
import type { Counts } from "../receipts/database";
import { evidenceOf, keysText, receiptLines, refusalLines, type Kept } from "../receipts/rules";

export function Receipts() {
  const [count, setCount] = useState<Counts>({ kept: 0, checked: 0, missing: 0, refusals: 0 });
  const wallet = session.value?.wallet ?? "";
  const known = keptKeys.value.length > 0;
  useEffect(() => {
    if (!known) return;
    let current = true;
    keeper().then((loaded) => loaded.counts(wallet)).then((counts) => current && setCount(counts)).catch(() => undefined);
    return () => void (current = false);
  }, [wallet, known, receiptsChanged.value]);
  if (unkept.value) return <section class="panel" id="receipts"><h2>{t("receipts.title")}</h2><p class="muted">{t("receipts.unkept")}</p></section>;
  if (!known) return null;
  const saveAll = (name: string, how: (kept: Kept[]) => string) => () => void keeper().then((loaded) => loaded.all(wallet)).then((kept) => save(name, how(kept))).catch(complain);
  return (
    <section class="panel" id="receipts" data-kept={count.kept} data-checked={count.checked}>
      <h2>{t("receipts.title")}</h2>
      <p class="muted">{t("receipts.explain")}</p>
      {unable.value && <p class="muted" data-unable>{t("receipts.unable")}</p>}
      <p>{t("receipts.count", { kept: count.kept, checked: count.checked })}{count.missing > 0 && ` ${t("receipts.lacking", { count: count.missing })}`}</p>
      {changedKeys.value.length > 0 && <p class="loss" data-keys>{t("receipts.keys.changed", { names: changedKeys.value.join(", ") })}</p>}
      {accused.value.map((each) => (
        <div key={each.text} class="row" data-evidence>
          <p class="loss">{t("receipts.contradiction", { what: each.fault ?? "" })}</p>
          {evidenceOf(each).map(({ name, text }) => <button key={name} type="button" onClick={() => save(name, text)}>{t("receipts.save", { name })}</button>)}
        </div>
      ))}
      <p class="row">
        <button type="button" id="save-receipts" onClick={saveAll(`receipts-${wallet.slice(0, 8)}.jsonl`, receiptLines)}>{t("receipts.export")}</button>
        {count.refusals > 0 && <button type="button" id="save-refusals" onClick={saveAll("refusals.jsonl", refusalLines)}>{t("receipts.refusals")}</button>}
        <button type="button" id="save-keys" onClick={() => save("keys.json", keysText(keptKeys.value))}>{t("receipts.keys")}</button>
      </p>
      <p class="muted">{t("receipts.seen", { keys: keptKeys.value.map(({ kid, first }) => `${kid} (${new Date(first).toLocaleDateString(language.value)})`).join(", ") })}</p>
    </section>
  );
}
