// A list of the service: filters, pages by cursor, and the whole list as CSV.

import type { paths } from "@casino-service/client";
import { useState } from "preact/hooks";
import { api, type Answer } from "../shared/api";
import { chosen, Filters, query, type Filter } from "./filters";
import { useRead } from "./read";
import { SavedFilters } from "./saved-filters";
import { Sheet } from "./sheet";
import { Table, type Column } from "./table";
import { figure, t } from "./text";

interface Page {
  total: number;
  totalCapped?: boolean;
  nextCursor: string | null;
}

interface Props<P extends keyof paths, R> {
  view: string;
  title: string;
  columns: Column<R>[];
  id: (row: R) => string;
  empty: string;
  filters?: readonly Filter[];
  /** The list of the API, and its rows in an answer. */
  path: P;
  rows: (answer: Answer<P>) => R[];
  /** What is asked for besides the filters, and where they choose nothing. */
  asked?: Record<string, string>;
}

const LIMIT = 25;

/** A list that is a view of its own, below its heading. */
export function ListView<P extends keyof paths, R>({ explain, ...list }: Props<P, R> & { explain?: string }) {
  return (
    <>
      <h1>{list.title}</h1>
      {explain !== undefined && <p class="muted">{explain}</p>}
      <List {...list} />
    </>
  );
}

export function List<P extends keyof paths, R>(props: Props<P, R>) {
  const { view, filters = [] } = props;
  return (
    <>
      {filters.length > 0 && <Filters view={view} filters={filters} />}
      {filters.length > 0 && <SavedFilters view={view} filtered={Object.keys(chosen()).length > 0} key={location.hash} />}
      <Pages {...props} key={JSON.stringify(chosen())} />
    </>
  );
}

/** The pages under the filters; changed filters begin with the first page. */
function Pages<P extends keyof paths, R>({ view, title, columns, id, empty, path, rows, asked }: Props<P, R>) {
  const of = { ...asked, ...query(chosen()) };
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const [found, failure] = useRead(() => api.get(path, { query: { ...of, limit: LIMIT, ...(cursor !== undefined && { cursor }) } as never }), cursor);
  const page = found as Page | null;
  const next = page?.nextCursor ?? null;
  return (
    <>
      <Table title={title} columns={columns} rows={found === null ? null : rows(found)} id={id} empty={empty} failure={failure} />
      <div class="row pager">
        <button type="button" disabled={cursor === undefined} onClick={() => setCursors(cursors.slice(0, -1))}>{t("newer")}</button>
        <button type="button" disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>{t("older")}</button>
        <span class="muted" role="status">{page !== null && t(page.totalCapped ? "list.more" : "list.total", { number: figure(page.total) })}</span>
        <Sheet name={view} read={() => api.sheet(path, { query: of as never })} />
      </div>
    </>
  );
}
