import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import { type RowColumn, rowColumns } from "./delivery-row.ts";

export type CsvRow = Partial<Record<RowColumn, string>>;

/** Reads a report as CSV in pieces as they come: gives each row, named by the first line, with its line in the file. */
export function scanReport(onRow: (row: CsvRow, line: number) => void): Pick<CsvScanner, "push" | "end"> {
  let names: (RowColumn | undefined)[] | undefined;
  return new CsvScanner((cells, line) => {
    if (cells.every((cell) => cell.trim() === "")) return;
    if (names) onRow(rowOf(cells, names), line);
    else names = cells.map(nameOf);
  });
}

function nameOf(cell: string): RowColumn | undefined {
  const name = cell
    .replace(/^\uFEFF/, "")
    .trim()
    .toLowerCase();
  return rowColumns.find((known) => known === name);
}

function rowOf(cells: readonly string[], names: readonly (RowColumn | undefined)[]): CsvRow {
  const row: CsvRow = {};
  for (const [index, name] of names.entries()) if (name !== undefined) row[name] = (cells[index] ?? "").trim();
  return row;
}
