import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import { detectFormat, type SheetFormat } from "#app/sheets/detect-format.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { type EncodingChoice, TextToUtf8 } from "#app/sheets/text/text-to-utf8.ts";
import { type RowColumn, rowColumns } from "./delivery-row.ts";

type NamedRow = Partial<Record<RowColumn, string>>;
/**
 * A row with the field names of the first line, or its cells where it has more of them than the first line has names.
 */
export type CsvRow = NamedRow | readonly string[];

/** The bytes by which UTF-16, and a file that is no text, are recognized. */
const headBytes = 8 * 1024;

/**
 * Scans a CSV report in chunks, in UTF-8 or UTF-16, and calls `onRow` for each row with the row's line number. Cells
 * without a name mean that a value has a delimiter in it, such as a spend of 1,234.50, and that the values after it are
 * under the wrong names. `push` and `end` throw a SheetError for a malformed file, for one that has a column twice, and
 * for one of another format, such as a workbook.
 */
export function scanReport(onRow: (row: CsvRow, line: number) => void): Pick<CsvScanner, "push" | "end"> {
  let names: (RowColumn | undefined)[] | undefined;
  const scanner = new CsvScanner((cells, line) => {
    if (cells.every((cell) => cell.trim() === "")) return;
    if (names) onRow(hasUnnamed(cells, names) ? cells : toRow(cells, names), line);
    else names = columnNames(cells);
  });
  let converter: TextToUtf8 | undefined;
  return {
    push: (chunk) => {
      converter ??= new TextToUtf8(encodingOf(chunk));
      scanner.push(converter.push(chunk));
    },
    end: () => {
      if (converter) scanner.push(converter.end());
      scanner.end();
    },
  };
}

/**
 * What is not UTF-16 is read as UTF-8, in which the scanner decodes damaged cells as Windows-1252. Throws a SheetError
 * for a file that is no text.
 */
function encodingOf(start: Buffer): EncodingChoice {
  const format = detectFormat(start.subarray(0, headBytes));
  const name = otherFormats[format.kind === "rejected" ? format.what : format.kind];
  if (name)
    throw new SheetError("not_a_spreadsheet", `This is ${name}. Save the report as a CSV file and send that instead.`);
  const isUtf16 = format.kind === "text" && (format.encoding === "utf-16le" || format.encoding === "utf-16be");
  return isUtf16 ? format : { encoding: "utf-8", source: "detected" };
}

type Format = Exclude<SheetFormat, { kind: "rejected" }>["kind"] | Extract<SheetFormat, { kind: "rejected" }>["what"];

/** Formats of which each piece between two line breaks would be rejected as a row. */
const otherFormats: Partial<Record<Format, string>> = {
  xlsx: "an Excel workbook (.xlsx)",
  xls: "an Excel workbook (.xls)",
  ods: "an OpenDocument spreadsheet (.ods)",
  zip: "a ZIP archive",
  gzip: "a compressed file",
  document: "a document or presentation",
  pdf: "a PDF",
  image: "an image",
  html: "a web page",
  xml: "an XML file",
  json: "a JSON file",
};

function columnNames(cells: readonly string[]): (RowColumn | undefined)[] {
  const names = cells.map(columnName);
  const repeated = rowColumns.find((known) => names.indexOf(known) !== names.lastIndexOf(known));
  if (!repeated) return names;
  throw new SheetError("repeated_column", `The column ${repeated} is in the file more than once. Keep one of them.`);
}

function columnName(cell: string): RowColumn | undefined {
  const name = cell
    .replace(/^\uFEFF/, "")
    .trim()
    .toLowerCase();
  return rowColumns.find((known) => known === name);
}

/**
 * Returns whether a cell without a name has a value. Empty ones are accepted, because spreadsheets and exports end each
 * row with a delimiter; a value with a delimiter before an empty last cell cannot be told from that.
 */
function hasUnnamed(cells: readonly string[], names: readonly unknown[]): boolean {
  return cells.slice(names.length).some((cell) => cell.trim() !== "");
}

function toRow(cells: readonly string[], names: readonly (RowColumn | undefined)[]): NamedRow {
  const row: NamedRow = {};
  for (const [index, name] of names.entries()) if (name !== undefined) row[name] = (cells[index] ?? "").trim();
  return row;
}
