import { SheetError } from "#app/sheets/sheet-error.ts";
import { textEncodingLabels } from "#app/sheets/text/encodings.ts";
import {
  type ChosenColumns,
  type Dialect,
  type ImportEncoding,
  type ImportOptions,
  type ImportProblem,
  importLimits,
} from "../catalog-import.ts";
import { CatalogReader } from "./catalog-reader.ts";
import { type ColumnPlan, planColumns } from "./column-plan.ts";
import { findHeader, headerSearchRows } from "./find-header.ts";
import { FirstPass } from "./first-pass.ts";
import type { ReadCounts, StagedRow } from "./product-collector.ts";
import type { TableRow } from "./row-channel.ts";
import { type TableSource, tableRows, tooManyColumns } from "./table.server.ts";
import type { TableFacts } from "./table-facts.ts";

/** The first rows of a table. */
export type TableHead = {
  dialect: Dialect;
  header: string[];
  /** The number of rows above the header that have values. */
  rowsAbove: number;
  /** The row number of the header, and the first rows that could be one, with their row numbers. */
  headerRow: number;
  firstRows: { row: number; text: string }[];
  /** The first rows below the header, as they are in the file. */
  samples: string[][];
  /** The encoding of a text; null for a workbook. */
  encoding: ImportEncoding | null;
};

export type ReadBatch = { rows: StagedRow[]; problems: ImportProblem[] };

const sampleRows = 5;
const sampleLength = 200;

/**
 * Finds the header and the dialect. `chosenRow` is the row number of the header that was chosen; one that the first
 * rows don't have is ignored. Throws SheetError for a file without a table.
 */
export async function readHead(source: TableSource, chosenRow: number | null = null): Promise<TableHead> {
  const rows: { row: number; cells: string[] }[] = [];
  for await (const batch of tableRows(source)) {
    for (const { cells, row } of batch) {
      if (!isDelimiterMark(cells)) rows.push({ row, cells: Array.from(cells, toHeaderCell) });
      if (rows.length === headerSearchRows + sampleRows) break;
    }
    if (rows.length === headerSearchRows + sampleRows) break;
  }
  const encoding = source.format === "text" ? source.encoding : null;
  const chosen = rows.findIndex(({ row }) => row === chosenRow);
  const found = findHeader(
    chosen >= 0 ? rows.slice(chosen, chosen + 1).map(({ cells }) => cells) : rows.map(({ cells }) => cells),
  );
  const at = chosen >= 0 ? chosen : found.index;
  const header = rows[at];
  if (!header) throw new SheetError("not_a_spreadsheet", "The file is empty. Choose another file.");
  if (header.cells.length > importLimits.columns) throw tooManyColumns();
  return {
    dialect: found.dialect,
    header: header.cells,
    headerRow: header.row,
    rowsAbove: at,
    firstRows: rows.slice(0, headerSearchRows).map(({ row, cells }) => ({ row, text: describeRow(cells) })),
    samples: rows
      .slice(at + 1, at + 1 + sampleRows)
      .map(({ cells }) => header.cells.map((_, index) => cells[index] ?? "")),
    encoding,
  };
}

/** Whether a row is Excel's `sep=` line, which names the delimiter. */
function isDelimiterMark(cells: readonly (string | undefined)[]): boolean {
  return cells.every((cell) => /^(?:sep=.?)?$/i.test((cell ?? "").replace(/[\ufeff\0]/g, "").trim()));
}

function describeRow(cells: readonly string[]): string {
  return cells.filter(Boolean).join(", ").slice(0, 100).toWellFormed();
}

/** Limits a cell to what the database and a page can hold. */
function toHeaderCell(cell: string | undefined): string {
  return (cell ?? "")
    .replace(/[\ufeff\0]/g, "")
    .trim()
    .slice(0, sampleLength)
    .toWellFormed();
}

/** Plans the columns and scans the whole table; `batches` then reads it. */
export async function openTableReader(
  source: TableSource,
  { head, chosen, options, now }: { head: TableHead; chosen: ChosenColumns; options: ImportOptions; now: Date },
): Promise<{ plan: ColumnPlan; facts: TableFacts; counts: ReadCounts; batches: AsyncGenerator<ReadBatch> }> {
  const plan = planColumns(head.header, head.dialect, chosen);
  const firstPass = new FirstPass(plan, options);
  let rowCount = 0;
  for await (const rows of tableRows(source, firstPass.columnsToDecode)) {
    for (const { cells, row } of rows) {
      if (row <= head.headerRow) continue;
      rowCount += 1;
      firstPass.scan(cells);
    }
    if (rowCount > importLimits.rows) throw tooManyRows();
  }
  const facts = firstPass.facts();
  const reader = new CatalogReader(plan, { facts, options, now });
  for (let count = 0; count < head.rowsAbove; count += 1) reader.collector.skip();
  for (const { column, message } of facts.oddColumns)
    reader.collector.warn({ row: head.headerRow, sku: null, column, message });
  const otherSheets = "otherSheets" in source ? [...(source.otherSheets ?? [])] : [];
  if (otherSheets.length > 0)
    reader.collector.warn({ row: head.headerRow, sku: null, column: "", message: describeOtherSheets(otherSheets) });
  for (const column of plan.repeated) {
    const message = "Duplicate column. Only the first one is imported.";
    reader.collector.warn({ row: head.headerRow, sku: null, column, message });
  }
  return { plan, facts, counts: reader.collector.counts, batches: readBatches(source, { head, plan, reader }) };
}

async function* readBatches(
  source: TableSource,
  { head, plan, reader }: { head: TableHead; plan: ColumnPlan; reader: CatalogReader },
): AsyncGenerator<ReadBatch> {
  for await (const rows of tableRows(source, plan.columnsToDecode)) {
    for (const row of rows) {
      if (row.row > head.headerRow) readTableRow(reader, row, head);
    }
    yield reader.collector.drainBatch();
  }
}

/** Spreadsheets omit empty cells at the end of a row, so only a row with more cells than the header is invalid. */
function readTableRow(reader: CatalogReader, { cells, row, count, isDamaged }: TableRow, head: TableHead): void {
  const cellCount = count >= 0 ? count : Math.max(cells.length, head.header.length);
  reader.read(cells, row, cellCount);
  if (isDamaged) reader.collector.warn({ row, sku: null, column: "", message: describeDamage(head.encoding) });
}

function describeDamage(encoding: ImportEncoding | null): string {
  if (encoding && encoding.encoding !== "utf-8")
    return `Some characters don't exist in ${textEncodingLabels[encoding.encoding]}. Choose another text encoding.`;
  return "Some of this row is not UTF-8 and was read as Windows-1252. Check its letters.";
}

const maxListedSheets = 5;

function describeOtherSheets(names: readonly string[]): string {
  const listed = names.slice(0, maxListedSheets).map((name) => `“${toHeaderCell(name).slice(0, 31).toWellFormed()}”`);
  const more = names.length - listed.length;
  return `Only one sheet of the workbook is imported. Not imported: ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}. Upload them as files of their own.`;
}

function tooManyRows(): SheetError {
  const maxRows = importLimits.rows.toLocaleString("en-US");
  return new SheetError("too_many_rows", `The file has more than ${maxRows} rows. Split it and upload the parts.`);
}
