import { createElement, Fragment } from "react";
import type { Column } from "./column.ts";

/** A column that can be chosen, and whether it is now. */
export type ColumnChoice = { name: string; label: string; isChosen: boolean };

/** Whether a column is shown. `asked` is the URL's `columns`: names with commas, or undefined for the usual columns. */
export function isColumnShown({ name, optional }: Pick<Column<never>, "name" | "optional">, asked: string | undefined) {
  if (name === undefined) return true;
  return asked === undefined ? !optional : asked.split(",").includes(name);
}

/**
 * Returns the columns to show, what the menu offers, and the URL's `columns` without unknown names and repetitions:
 * undefined for the usual columns. Of chosen columns, those that the usual table leaves out first are left out last,
 * because they are chosen to be seen. Without a column for the amount, the first chosen figure is in its place, with
 * its name.
 */
export function chooseColumns<Row>(columns: readonly Column<Row>[], asked: string | undefined) {
  const shown = columns.filter((column) => isColumnShown(column, asked));
  const choices = columns.flatMap(({ name, header }): ColumnChoice[] =>
    name === undefined ? [] : [{ name, label: header, isChosen: shown.some((column) => column.name === name) }],
  );
  const isUsual = columns.every((column) => shown.includes(column) === isColumnShown(column, undefined));
  if (isUsual) return { columns: shown, choices, chosen: undefined };
  const chosen = choices.flatMap(({ name, isChosen }) => (isChosen ? [name] : [])).join(",");
  return { columns: shown.map((column) => preferred(column, shown)), choices, chosen };
}

function preferred<Row>(column: Column<Row>, shown: readonly Column<Row>[]): Column<Row> {
  const hasAmount = shown.some(({ place }) => place === "amount");
  const figure = hasAmount ? undefined : shown.find(({ align, place }) => align === "right" && !place);
  if (column === figure) return { ...withLabel(column), place: "amount", priority: undefined };
  const chosen = column.name === undefined ? column : { ...column, isChosen: true as const };
  if (column.priority === undefined) return chosen;
  return { ...chosen, priority: Math.max(...shown.map(({ priority = 0 }) => priority)) + 1 - column.priority };
}

/** Where a row has two lines there is no head that says what the figure is. */
function withLabel<Row>(column: Column<Row>): Column<Row> {
  const { header, cell } = column;
  const label = createElement("span", { className: "only-narrow figure-label" }, header);
  return { ...column, cell: (row) => createElement(Fragment, null, cell(row), label) };
}
