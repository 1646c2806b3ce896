// What this browser keeps of the player's receipts, what they show against the service, and the files
// to hand on.

import { useEffect, useState } from "preact/hooks";
import { language, t } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { save } from "../../shared/save";
import { session, short } from "../../shared/session";
import { accused, changedKeys, keeper, keptKeys, receiptsChanged, unable, unkept } from "../receipts";
import { evidenceOf, keysText, receiptLines, refusalLines, type Kept } from "../receipts/rules";

export function Receipts() {
  const [kept, setKept] = useState<Kept[]>([]);
  const wallet = session.value?.wallet ?? "";
  const known = keptKeys.value.length > 0;
  useEffect(() => {
    if (!known) return;
    let current = true;
    keeper().then((loaded) => loaded.mine()).then((mine) => current && setKept(mine)).catch(() => undefined);
    return () => void (current = false);
  }, [wallet, known, receiptsChanged.value]);
  if (unkept.value) return <section class="panel" id="receipts"><h2>{t("receipts.title")}</h2><p class="muted">{t("receipts.unkept")}</p></section>;
  if (!known) return null;
  const count = (...states: Kept["state"][]) => kept.filter(({ state }) => states.includes(state)).length;
  const lacking = count("missing");
  const refusals = kept.some(({ of }) => of === "refusal");
  return (
    <section class="panel" id="receipts" data-kept={kept.length} data-checked={count("right", "signed")} data-right={count("right")}>
      <h2>{t("receipts.title")}</h2>
      <p class="muted">{t("receipts.explain")}</p>
      {unable.value && <p class="muted" data-unable>{t("receipts.unable")}</p>}
      <p>{t("receipts.count", { kept: kept.length, checked: count("right", "signed") })}{lacking > 0 && ` ${t("receipts.lacking", { count: lacking })}`}</p>
      {changedKeys.value.length > 0 && <p class="loss" data-keys>{t("receipts.keys.changed", { names: changedKeys.value.join(", ") })}</p>}
      {accused.value.map((each) => (
        <div key={each.text} class="row" data-evidence>
          <p class="loss">{t("receipts.contradiction", { what: each.fault ?? "" })}</p>
          {evidenceOf(each).map(({ name, text }) => <button key={name} type="button" onClick={() => save(name, text)}>{t("receipts.save", { name })}</button>)}
        </div>
      ))}
      <p class="row">
        <button type="button" id="save-receipts" onClick={() => readMine().then((mine) => save(`receipts-${short(wallet)}.jsonl`, receiptLines(mine)), complain)}>{t("receipts.export")}</button>
        {refusals && <button type="button" id="save-refusals" onClick={() => readMine().then((mine) => save("refusals.jsonl", refusalLines(mine)), complain)}>{t("receipts.refusals")}</button>}
        <button type="button" id="save-keys" onClick={() => save("keys.json", keysText(keptKeys.value))}>{t("receipts.keys")}</button>
      </p>
      <p class="muted">{t("receipts.seen", { keys: keptKeys.value.map(({ kid, first }) => `${kid} (${new Date(first).toLocaleDateString(language.value)})`).join(", ") })}</p>
    </section>
  );
}

const readMine = () => keeper().then((loaded) => loaded.mine());
