// The table of every view. It scrolls on its own, so that the page doesn't on a telephone.

import type { ComponentChildren } from "preact";
import { explain } from "../shared/notices";
import { t } from "./text";

export interface Column<R> {
  head: string;
  cell: (row: R) => ComponentChildren;
  number?: boolean;
}

interface Props<R> {
  title: string;
  columns: Column<R>[];
  /** Null until they are loaded. */
  rows: readonly R[] | null;
  id: (row: R) => string;
  empty: string;
  /** Why they couldn't be read. */
  failure?: unknown;
}

export function Table<R>({ title, columns, rows, id, empty, failure = null }: Props<R>) {
  return (
    <div class="panel scroll" tabIndex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>{columns.map((column) => <th key={column.head} scope="col" class={column.number ? "number" : ""}>{column.head}</th>)}</tr>
        </thead>
        <tbody>
          {rows === null && failure !== null && <tr><td colSpan={columns.length}><span class="refused" role="alert">{explain(failure)}</span></td></tr>}
          {rows === null && failure === null && <tr><td colSpan={columns.length} class="muted" role="status">{t("loading")}</td></tr>}
          {rows?.length === 0 && <tr><td colSpan={columns.length} class="muted">{empty}</td></tr>}
          {rows?.map((row) => (
            <tr key={id(row)} data-row={id(row)}>
              {columns.map((column) => <td key={column.head} class={column.number ? "number" : ""}>{column.cell(row)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
