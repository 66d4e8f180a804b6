import type { Dialect } from "../catalog-import.ts";
import { detectDialect } from "./dialects/dialect-table.ts";
import { guessColumns } from "./dialects/guess-columns.ts";

/**
 * The number of rows among which the header is looked for: Amazon's files have it in row 3 to 5, reports below a title.
 */
export const headerSearchRows = 12;

/**
 * Finds the header among the first rows of a table: the row that shows which program wrote the file, otherwise the one
 * with the most columns that can be guessed, of equal ones the first. Returns its index and the dialect, and whether it
 * is known to be a header.
 */
export function findHeader(rows: readonly (readonly string[])[]): {
  index: number;
  dialect: Dialect;
  isKnown: boolean;
} {
  let best = { index: 0, guessed: 0 };
  for (const [index, cells] of rows.slice(0, headerSearchRows).entries()) {
    const dialect = detectDialect(cells);
    if (dialect !== "other") return { index, dialect, isKnown: true };
    const guessed = Object.keys(guessColumns(cells)).length;
    if (guessed > best.guessed) best = { index, guessed };
  }
  // A single known word may be a title or a value; then the first row is the header.
  const isKnown = best.guessed > 1;
  return { index: isKnown ? best.index : 0, dialect: "other", isKnown };
}
