// A list of the service: filters, pages by cursor, and the whole list as CSV.

import { useState } from "preact/hooks";
import { complain } from "../shared/notices";
import { chosen, Filters, query, type Chosen, type Filter } from "./filters";
import { useRead } from "./read";
import { Table, type Column } from "./table";
import { t } from "./text";

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
  /** Reads the whole list as CSV, if the service supports that. */
  sheet?: (query: Query) => Promise<string>;
}

const LIMIT = 25;

export function List<R>(props: Props<R>) {
  const { view, filters = [] } = props;
  return (
    <>
      {filters.length > 0 && <Filters view={view} filters={filters} />}
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
        <span class="muted" role="status">{page !== null && t(page.totalCapped ? "list.more" : "list.total", { total: page.total })}</span>
        {sheet !== undefined && <Sheet name={view} of={now} sheet={sheet} />}
      </div>
    </>
  );
}

function Sheet({ name, of, sheet }: { name: string; of: Chosen; sheet: (query: Query) => Promise<string> }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      download(`${name}.csv`, "text/csv", await sheet(query(of)));
    } catch (failure) {
      complain(failure);
    }
    setBusy(false);
  };
  return <button type="button" class="sheet" disabled={busy} onClick={save}>{t("sheet")}</button>;
}

/** Saves a text as a file. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
