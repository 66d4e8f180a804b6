import { CsvScanner } from "#app/sheets/csv-scanner.ts";

/** The columns of a report as CSV. Others are left alone. */
const reportColumns = [
  "campaign_id",
  "audience_id",
  "channel",
  "date",
  "impressions",
  "clicks",
  "conversions",
  "spend",
  "revenue",
  "source",
  "currency",
] as const;

type CsvRow = Record<string, string>;

/**
 * The rows of a report as CSV, named by its first line, as the wire has them; empty lines are none. A column that is missing
 * is missing in every row. Throws SheetError for what is no table.
 */
export function readReportCsv(bytes: Buffer): CsvRow[] {
  const rows: CsvRow[] = [];
  const scanner = scanReport((row) => rows.push(row));
  scanner.push(bytes);
  scanner.end();
  return rows;
}

/** The same in pieces as they come: gives each row with its line in the file. */
export function scanReport(onRow: (row: CsvRow, line: number) => void): Pick<CsvScanner, "push" | "end"> {
  let names: (string | undefined)[] | undefined;
  return new CsvScanner((cells, line) => {
    if (cells.every((cell) => cell.trim() === "")) return;
    if (names) onRow(rowOf(cells, names), line);
    else names = cells.map(nameOf);
  });
}

function nameOf(cell: string): string | undefined {
  const name = cell
    .replace(/^\uFEFF/, "")
    .trim()
    .toLowerCase();
  return reportColumns.find((known) => known === name);
}

function rowOf(cells: readonly string[], names: readonly (string | undefined)[]): CsvRow {
  const row: CsvRow = {};
  for (const [index, name] of names.entries()) if (name !== undefined) row[name] = (cells[index] ?? "").trim();
  return row;
}
