import type { ReactNode } from "react";
import { columnStepFor } from "./column-steps.ts";

export type Column<Row> = {
  header: string;
  /** The column's name in the URL's `columns`; a column without one is always shown. */
  name?: string;
  /** Left out unless it is chosen. */
  optional?: true;
  cell: (row: Row) => ReactNode;
  align?: "right";
  /**
   * Where the column stays when the card is so narrow that a row becomes two lines: the title on the left, the amount
   * above the status on the right. Other columns are left out there. The title takes the width that the others leave.
   */
  place?: "title" | "amount" | "status";
  /** Breaks a title that is a sentence into lines instead of cutting it. */
  wraps?: boolean;
  /** The width of its longest usual content with padding, in pixels. */
  width?: number;
  /** Columns with the highest number are left out first when the card is too narrow; one without is never left out. */
  priority?: number;
  /** While the column is left out, its content is in the row's title (`RowTitle`'s `columnDetail`). */
  inTitleWhenLeftOut?: true;
  /** A person chose the column, so a line above the table names it while it is left out. */
  isChosen?: true;
  /** A link that sorts by this column, and the list's current order by it. */
  sort?: { to: string; current?: "ascending" | "descending" };
};

const usualWidth = 116;
const titleWidth = 170;
const selectWidth = 40;

type Others = { selects: boolean; actionsWidth: number };

/** Returns the step of the card's width from which the column fits with all that are left out after it. */
function firstStep<Row>(columns: readonly Column<Row>[], { priority = 0 }: Column<Row>, others: Others) {
  const shownWith = columns.filter((other) => (other.priority ?? 0) <= priority);
  const widths = shownWith.map(({ place, width }) => width ?? (place === "title" ? titleWidth : usualWidth));
  return columnStepFor(
    widths.reduce((sum, width) => sum + width, 0) + others.actionsWidth + (others.selects ? selectWidth : 0),
  );
}

/** Returns the table's class: which cards leave out the column whose content is in the title then. */
export function tableClassName<Row>(columns: readonly Column<Row>[], others: Others): string {
  const column = columns.find(({ inTitleWhenLeftOut }) => inTitleWhenLeftOut);
  const from = column?.priority && firstStep(columns, column, others);
  return from ? `data-table detail-below-${from}` : "data-table";
}

/**
 * Returns each column's classes. A column that may be left out gets `from-N`: the width of the card, in pixels, from
 * which it and all columns of a lower priority number fit; `from-never` fits no card. The style sheet has these classes
 * because the content security policy forbids style attributes.
 */
export function columnClassNames<Row>(columns: readonly Column<Row>[], others: Others): (string | undefined)[] {
  return columns.map((column) => {
    const { align, place, wraps, priority } = column;
    const from = firstStep(columns, column, others);
    return (
      [
        align === "right" && "align-right",
        place && `place-${place}`,
        wraps && "wraps",
        priority && from && `from-${from}`,
      ]
        .filter(Boolean)
        .join(" ") || undefined
    );
  });
}

/**
 * Returns the chosen columns that some cards leave out, those that are left out first at the beginning. The class shows
 * an element while its column is left out: `until-N`, `until-never` in every card, `until-wide` where a row is two
 * lines.
 */
export function columnsLeftOut<Row>(columns: readonly Column<Row>[], others: Others) {
  const rankOf = ({ priority = 0, inTitleWhenLeftOut }: Column<Row>) => (inTitleWhenLeftOut ? 0 : priority);
  return columns
    .filter(({ isChosen, place }) => isChosen && !place)
    .sort((one, other) => rankOf(other) - rankOf(one))
    .map((column) => ({
      header: column.header,
      className: `until-${(rankOf(column) && firstStep(columns, column, others)) || "wide"}`,
    }));
}
