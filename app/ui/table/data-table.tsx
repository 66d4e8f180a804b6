import { type ReactNode, useId } from "react";
import { Link } from "../link.tsx";
import { type Column, columnClassNames, columnsLeftOut, tableClassName } from "./column.ts";
import { MarkupBody } from "./markup-body.tsx";
import { RowActions } from "./row-actions.tsx";
import { selectCell, selectLabel } from "./shown-row.ts";

/** `bar` is the form of the checkboxes, below the rows. */
type Selection = { form: string; name: string; bar?: ReactNode };

/**
 * A table of rows that never leaves its card: columns are left out in the order of their priorities, and in a narrow
 * card each row becomes two lines.
 */
export function DataTable<Row extends { id: string }>({
  caption,
  columns,
  rows,
  rowName = () => "",
  totals,
  isSubtotal,
  select,
  sortSelect,
  actions,
  hasOneAction = false,
  actionsWidth = 116,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The row's name, for the names of its checkbox and its actions. */
  rowName?: (row: Row) => string;
  /** A last row with the totals of all rows. */
  totals?: Row;
  /** Whether the row is the sum of the rows below it. */
  isSubtotal?: (row: Row) => boolean;
  /** A checkbox in each row that belongs to a form elsewhere on the page; its value is the row's id. */
  select?: Selection;
  /** The order of a list that has no filters, shown while the table has no head. */
  sortSelect?: ReactNode;
  /** The actions of a row; null if it has none. */
  actions?: (row: Row) => ReactNode;
  /** Whether the row has one action only, which needs no sheet in a narrow card. */
  hasOneAction?: boolean | ((row: Row) => boolean);
  /** The width of the widest row's actions with padding, in pixels. */
  actionsWidth?: number;
}) {
  const others = { selects: Boolean(select), actionsWidth: actions ? actionsWidth : 0 };
  const classNames = columnClassNames(columns, others);
  const leftOut = columnsLeftOut(columns, others);
  // Not by the ids of rows, each of which is 16 bytes that do not compress.
  const tableId = useId();
  const cells = (row: Row) =>
    columns.map((column, index) => (
      <td key={column.header} className={classNames[index]}>
        {column.cell(row)}
      </td>
    ));
  const body = rows.map((row, index) => (
    <tr key={row.id} className={isSubtotal?.(row) ? "subtotal-row" : undefined}>
      {select ? <SelectCell rowId={row.id} rowName={rowName(row)} select={select} /> : null}
      {cells(row)}
      {actions ? (
        <RowActions
          sheetId={`${tableId}${index.toString(36)}`}
          rowName={rowName(row)}
          isSingle={typeof hasOneAction === "function" ? hasOneAction(row) : hasOneAction}
        >
          {actions(row)}
        </RowActions>
      ) : null}
    </tr>
  ));
  return (
    <div className="table-frame">
      {sortSelect}
      {leftOut[0] ? (
        // The first one is left out wherever another is.
        <p className={`left-out ${leftOut[0].className}`}>
          Not shown at this width:
          {leftOut.map(({ header, className }) => (
            <span key={header} className={className}>
              {header}
            </span>
          ))}
        </p>
      ) : null}
      <table className={tableClassName(columns, others)}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {select ? (
              <th scope="col" className={selectCell}>
                <span className="sr-only">Select</span>
              </th>
            ) : null}
            {columns.map((column, index) => (
              <th key={column.header} scope="col" className={classNames[index]} aria-sort={column.sort?.current}>
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
        {import.meta.env.SSR ? (
          <MarkupBody
            hasForms={actions !== undefined}
            selectable={select ? rows.map((row) => ({ id: row.id, name: rowName(row) })) : undefined}
          >
            {body}
          </MarkupBody>
        ) : (
          <tbody>{body}</tbody>
        )}
        {totals ? (
          <tfoot>
            <tr>
              {select ? <td className={selectCell} /> : null}
              {cells(totals)}
              {actions ? <td className="actions-cell" /> : null}
            </tr>
          </tfoot>
        ) : null}
      </table>
      {select?.bar}
    </div>
  );
}

function SelectCell({ rowId, rowName, select }: { rowId: string; rowName: string; select: Selection }) {
  return (
    <td className={selectCell}>
      <input type="checkbox" form={select.form} name={select.name} value={rowId} aria-label={selectLabel(rowName)} />
    </td>
  );
}

function Head<Row>({ column }: { column: Column<Row> }) {
  if (!column.sort) return column.header;
  const arrow = column.sort.current === "ascending" ? " ↑" : column.sort.current === "descending" ? " ↓" : "";
  return (
    <Link to={column.sort.to} preventScrollReset>
      {column.header}
      <span aria-hidden>{arrow}</span>
    </Link>
  );
}
