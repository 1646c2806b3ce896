// A list of the service: filters, pages by cursor, and the whole list as CSV.

import { useState } from "preact/hooks";
import { chosen, Filters, query, type Filter } from "./filters";
import { useRead } from "./read";
import { SavedFilters } from "./saved-filters";
import { Sheet } from "./sheet";
import { Table, type Column } from "./table";
import { figure, t } from "./text";

export interface Page<R> {
  rows: R[];
  total: number;
  totalCapped?: boolean;
  nextCursor: string | null;
}

export type Query = Record<string, string | number>;

interface Props<R> {
  view: string;
  title: string;
  columns: Column<R>[];
  id: (row: R) => string;
  empty: string;
  filters?: readonly Filter[];
  read: (query: Query) => Promise<Page<R>>;
  /** Reads the whole list as CSV. */
  sheet: (query: Query) => Promise<string>;
}

const LIMIT = 25;

export function List<R>(props: Props<R>) {
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
function Pages<R>({ view, title, columns, id, empty, read, sheet }: Props<R>) {
  const now = chosen();
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const [page, failure] = useRead(() => read({ ...query(now), limit: LIMIT, ...(cursor !== undefined && { cursor }) }), cursor);
  const next = page?.nextCursor ?? null;
  return (
    <>
      <Table title={title} columns={columns} rows={page?.rows ?? null} id={id} empty={empty} failure={failure} />
      <div class="row pager">
        <button type="button" disabled={cursor === undefined} onClick={() => setCursors(cursors.slice(0, -1))}>{t("newer")}</button>
        <button type="button" disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>{t("older")}</button>
        <span class="muted" role="status">{page !== null && t(page.totalCapped ? "list.more" : "list.total", { number: figure(page.total) })}</span>
        <Sheet name={view} read={() => sheet(query(now))} />
      </div>
    </>
  );
}
