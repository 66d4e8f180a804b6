import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import { type RowColumn, rowColumns } from "./delivery-row.ts";

export type CsvRow = Partial<Record<RowColumn, string>>;

/**
 * Scans a CSV report in chunks and calls `onRow` for each row, with the field names of the first line and the row's
 * line number.
 */
export function scanReport(onRow: (row: CsvRow, line: number) => void): Pick<CsvScanner, "push" | "end"> {
  let names: (RowColumn | undefined)[] | undefined;
  return new CsvScanner((cells, line) => {
    if (cells.every((cell) => cell.trim() === "")) return;
    if (names) onRow(toRow(cells, names), line);
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

function toRow(cells: readonly string[], names: readonly (RowColumn | undefined)[]): CsvRow {
  const row: CsvRow = {};
  for (const [index, name] of names.entries()) if (name !== undefined) row[name] = (cells[index] ?? "").trim();
  return row;
}
