import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import { type RowColumn, rowColumns } from "./delivery-row.ts";

type NamedRow = Partial<Record<RowColumn, string>>;
/** A row with the field names of the first line, or its cells where it has more of them than the first line has names. */
export type CsvRow = NamedRow | readonly string[];

/**
 * Scans a CSV report in chunks and calls `onRow` for each row with the row's line number. Cells without a name mean that a value has a
 * delimiter in it, such as a spend of 1,234.50, and that the values after it are under the wrong names.
 */
export function scanReport(onRow: (row: CsvRow, line: number) => void): Pick<CsvScanner, "push" | "end"> {
  let names: (RowColumn | undefined)[] | undefined;
  return new CsvScanner((cells, line) => {
    if (cells.every((cell) => cell.trim() === "")) return;
    if (names) onRow(hasUnnamed(cells, names) ? cells : toRow(cells, names), line);
    else names = cells.map(columnName);
  });
}

function columnName(cell: string): RowColumn | undefined {
  const name = cell
    .replace(/^\uFEFF/, "")
    .trim()
    .toLowerCase();
  return rowColumns.find((known) => known === name);
}

function hasUnnamed(cells: readonly string[], names: readonly unknown[]): boolean {
  return cells.slice(names.length).some((cell) => cell.trim() !== "");
}

function toRow(cells: readonly string[], names: readonly (RowColumn | undefined)[]): NamedRow {
  const row: NamedRow = {};
  for (const [index, name] of names.entries()) if (name !== undefined) row[name] = (cells[index] ?? "").trim();
  return row;
}
