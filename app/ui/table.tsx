import { Link } from "@remix-run/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "./button.tsx";

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  right?: boolean;
  /** Takes the whole width of a row's card on a phone, without its label. */
  wide?: boolean;
  /** Left out where a table is too wide and a card is not yet due. */
  spare?: boolean;
  /** A link that sorts by this column, and how the list is sorted by it now. */
  sort?: { to: string; current?: "ascending" | "descending" };
};

/** A list of rows. On a phone each row is a card whose cells carry the head's words. */
export function DataTable<Row extends { id: string }>({
  caption,
  columns,
  rows,
  totals,
  select,
  actions,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** A last row, of all rows. */
  totals?: Row;
  /** A box before each row that ticks it for a form elsewhere on the page; its value is the row's id. */
  select?: { form: string; name: string; label: (row: Row) => string };
  actions?: (row: Row) => ReactNode;
}) {
  return (
    <table className="table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {select ? (
            <th scope="col" className="tick">
              <span className="sr-only">Select</span>
            </th>
          ) : null}
          {columns.map((column) => (
            <th key={column.head} scope="col" className={classOf(column)} aria-sort={column.sort?.current}>
              <Head column={column} />
            </th>
          ))}
          {actions ? (
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {select ? (
              <td className="tick">
                <input
                  type="checkbox"
                  form={select.form}
                  name={select.name}
                  value={row.id}
                  aria-label={select.label(row)}
                />
              </td>
            ) : null}
            {columns.map((column) => (
              <td key={column.head} className={classOf(column)} data-label={column.wide ? undefined : column.head}>
                {column.cell(row)}
              </td>
            ))}
            {actions ? (
              <td className="wide">
                <div className="row-actions">{actions(row)}</div>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
      {totals ? (
        <tfoot>
          <tr>
            {select ? <td className="tick" /> : null}
            {columns.map((column) => (
              <td key={column.head} className={classOf(column)} data-label={column.wide ? undefined : column.head}>
                {column.cell(totals)}
              </td>
            ))}
            {actions ? <td className="wide" /> : null}
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}

function classOf<Row>({ right, wide, spare }: Column<Row>): string | undefined {
  return [right && "right", wide && "wide", spare && "spare"].filter(Boolean).join(" ") || undefined;
}

function Head<Row>({ column }: { column: Column<Row> }) {
  if (!column.sort) return column.head;
  const arrow = column.sort.current === "ascending" ? " ↑" : column.sort.current === "descending" ? " ↓" : "";
  return (
    <Link to={column.sort.to} preventScrollReset>
      {column.head}
      <span aria-hidden>{arrow}</span>
    </Link>
  );
}

/** What is shown, and the ways to the pages before and after; `undefined` where there is none. */
export function Pagination({ shown, previous, next }: { shown: string; previous?: string; next?: string }) {
  return (
    <div className="card-foot">
      <span>{shown}</span>
      {previous || next ? (
        <nav className="actions" aria-label="Pages">
          {previous ? (
            <LinkButton to={previous} icon={ChevronLeft}>
              Previous
            </LinkButton>
          ) : null}
          {next ? (
            <LinkButton to={next} icon={ChevronRight}>
              Next
            </LinkButton>
          ) : null}
        </nav>
      ) : null}
    </div>
  );
}
