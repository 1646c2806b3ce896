// Common parts of the player's lists: times, net results, copying, filters in the address.

import { useId, useState } from "preact/hooks";
import { language, t, type Key } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { query, setQuery } from "../../shared/route";
import { amount, tokens } from "../store";
import "./account.css";

/** A moment in the reader's language and time zone. */
export function when(moment: number | bigint): string {
  return new Date(Number(moment)).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
}

/** A change of the balance: signed, green for a gain and red for a loss. */
export function Net({ units, token }: { units: bigint; token: string }) {
  const text = amount(units < 0n ? -units : units, token);
  return <strong class={units > 0n ? "gain" : units < 0n ? "loss" : "muted"}>{units > 0n ? "+" : units < 0n ? "−" : ""}{text}</strong>;
}

const COPIED_MS = 2000;

export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    (async () => navigator.clipboard.writeText(text))().then(() => { // there is no clipboard in a page over plain HTTP
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    }, () => complain(new Error(t("copy.failed"))));
  };
  return <button type="button" class="copy" aria-label={label} onClick={copy}><span role="status">{copied ? t("copy.done") : t("copy.do")}</span></button>;
}

/** A long value, such as an address or a hash, and a button that copies it. */
export function Long({ text, label }: { text: string; label: string }) {
  return <span class="long"><code>{text}</code><Copy text={text} label={t("copy.what", { what: label })} /></span>;
}

export interface Filter {
  name: string;
  label: Key;
  /** The values with their names; without them it is a day. */
  options?: readonly (readonly [string, string])[];
}

export const byToken = (): Filter => ({ name: "token", label: "token", options: tokens.value.map((each) => [each.token, each.symbol]) });

/** The filters in the address as the API takes them: days are the reader's, the last one included. */
export function filtersOf(filters: readonly Filter[]): Record<string, string | number> {
  const chosen = filters.flatMap(({ name, options }): [string, string | number][] => {
    const value = query.value[name];
    if (value === undefined) return [];
    if (options !== undefined) return options.some(([each]) => each === value) ? [[name, value]] : [];
    const [year = NaN, month = NaN, day = NaN] = value.split("-").map(Number);
    const begins = new Date(year, month - 1, day + (name === "to" ? 1 : 0)).getTime();
    return Number.isFinite(begins) && begins >= 0 ? [[name, begins]] : [];
  });
  return Object.fromEntries(chosen);
}

export function Filters({ of }: { of: readonly Filter[] }) {
  const some = of.some(({ name }) => query.value[name] !== undefined);
  return (
    <details class="panel filters" open={some}>
      <summary>{t("filters")}{some && <span class="tag">{t("filters.on")}</span>}</summary>
      <div class="row">
        {of.map((each) => <Choose key={each.name} filter={each} />)}
        {some && <button type="button" onClick={() => setQuery(Object.fromEntries(of.map(({ name }) => [name, ""])))}>{t("filters.clear")}</button>}
      </div>
    </details>
  );
}

function Choose({ filter: { name, label, options } }: { filter: Filter }) {
  const id = useId();
  const value = query.value[name] ?? "";
  const choose = (e: { currentTarget: { value: string } }) => setQuery({ [name]: e.currentTarget.value });
  return (
    <div class="field">
      <label for={id}>{t(label)}</label>
      {options === undefined ? <input id={id} type="date" name={name} value={value} onChange={choose} /> : (
        <select id={id} name={name} value={value} onChange={choose}>
          <option value="">{t("filters.all")}</option>
          {options.map(([of, says]) => <option key={of} value={of}>{says}</option>)}
        </select>
      )}
    </div>
  );
}

export const DAYS: readonly Filter[] = [{ name: "from", label: "filters.from" }, { name: "to", label: "filters.to" }];

/** The buttons to the newer and older pages of a list. */
export function Pager({ page, more, go }: { page: number; more: boolean; go: (page: number) => void }) {
  if (page === 1 && !more) return null;
  return (
    <p class="row">
      <button type="button" disabled={page === 1} onClick={() => go(page - 1)}>{t("newer")}</button>
      <button type="button" disabled={!more} onClick={() => go(page + 1)}>{t("older")}</button>
    </p>
  );
}
