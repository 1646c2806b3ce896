// Common parts of the player's lists: times, filters in the address, pages.

import { Input, Select } from "../../shared/fields";
import { language, t, type Key } from "../../shared/i18n";
import { query, setQuery } from "../../shared/route";
import { tokens } from "../store";
import "./account.css";

/** A moment in the reader's language and time zone. */
export function when(moment: number | bigint): string {
  return new Date(Number(moment)).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
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
        {of.map(({ name, label, options }) => {
          const [value, choose] = [query.value[name] ?? "", (to: string) => setQuery({ [name]: to })];
          return options === undefined
            ? <Input key={name} label={t(label)} type="date" name={name} value={value} onChange={(e) => choose(e.currentTarget.value)} />
            : <Select key={name} label={t(label)} name={name} value={value} options={options} nothing={t("filters.all")} onChange={choose} />;
        })}
        {some && <button type="button" onClick={() => setQuery(Object.fromEntries(of.map(({ name }) => [name, ""])))}>{t("filters.clear")}</button>}
      </div>
    </details>
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
