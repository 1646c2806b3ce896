// Filters of a list are in the address, so that a filtered list is a link.

import { Input, Select } from "../shared/fields";
import { route, to } from "../shared/route";
import { t } from "./text";

export interface Filter {
  name: string;
  label: string;
  kind?: "day";
  /** The values with their labels, if there are only a few. */
  options?: readonly (readonly [string, string])[];
  /** The label for no choice; by default "everything". */
  nothing?: string;
}

export type Chosen = Record<string, string>;

/** The filters for the first and the last day. */
export function days(): Filter[] {
  return [{ name: "from", label: t("filter.from"), kind: "day" }, { name: "to", label: t("filter.to"), kind: "day" }];
}

/** The address of a view with its filters. */
export function filtered(view: string, chosen: Chosen): string {
  return to(view, ...Object.entries(chosen).filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`));
}

/** The filters in the address, after the view. */
export function chosen(): Chosen {
  const pairs = route.value.slice(1).filter((part) => part.includes("="));
  return Object.fromEntries(pairs.map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
}

const DAY_MS = 86_400_000;

/** Filters in the service's format: days are UTC, the last one included. */
export function query(of: Chosen): Record<string, string | number> {
  const asked: Record<string, string | number> = { ...of };
  if (of.from !== undefined) asked.from = Date.parse(of.from);
  if (of.to !== undefined) asked.to = Date.parse(of.to) + DAY_MS;
  return asked;
}

export function Filters({ view, filters }: { view: string; filters: readonly Filter[] }) {
  const now = chosen();
  const apply = (form: HTMLFormElement) => {
    const values = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
    location.hash = filtered(view, Object.fromEntries(values.filter(([, value]) => value !== "")));
  };
  return (
    <form class="filters" key={location.hash} onSubmit={(e) => { e.preventDefault(); apply(e.currentTarget); }}>
      {filters.map((filter) => <Field key={filter.name} filter={filter} value={now[filter.name] ?? ""} />)}
      <div class="row">
        <button type="submit">{t("filter")}</button>
        {Object.keys(now).length > 0 && <a class="button ghost" href={to(view)}>{t("filter.clear")}</a>}
      </div>
    </form>
  );
}

function Field({ filter: { name, label, kind, options, nothing }, value }: { filter: Filter; value: string }) {
  if (options !== undefined) return <Select label={label} name={name} value={value} options={options} nothing={nothing ?? t("filter.all")} />;
  if (kind === "day") return <Input label={label} name={name} type="date" defaultValue={value} />;
  return <Input label={label} name={name} defaultValue={value} spellcheck={false} />;
}
