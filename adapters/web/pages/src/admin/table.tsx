// The table of every view. It scrolls on its own, so that the page doesn't; on a phone its rows
// are cards. Its roles are named because cards aren't displayed as a table.

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
      <table class="cards" role="table">
        <thead role="rowgroup">
          <tr role="row">{columns.map((column) => <th key={column.head} role="columnheader" scope="col" class={column.number ? "number" : ""}>{column.head}</th>)}</tr>
        </thead>
        <tbody role="rowgroup">
          {rows === null && failure !== null && <tr role="row"><td role="cell" colSpan={columns.length}><span class="refused" role="alert">{explain(failure)}</span></td></tr>}
          {rows === null && failure === null && <tr role="row"><td role="cell" colSpan={columns.length} class="muted"><span role="status">{t("loading")}</span></td></tr>}
          {rows?.length === 0 && <tr role="row"><td role="cell" colSpan={columns.length} class="muted">{empty}</td></tr>}
          {rows?.map((row) => (
            <tr key={id(row)} role="row" data-row={id(row)} tabIndex={-1}>
              {columns.map((column) => <td key={column.head} role="cell" data-head={column.head} class={column.number ? "number" : ""}><div>{column.cell(row)}</div></td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
