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
import { detectDialect } from "./dialect.ts";
import { FirstPass } from "./first-pass.ts";
import type { ReadCounts, StagedRow } from "./product-collector.ts";
import type { TableRow } from "./row-channel.ts";
import { type TableSource, tableRows, tooManyColumns } from "./table.server.ts";

/** The first rows of a table. */
export type TableHead = {
  dialect: Dialect;
  header: string[];
  /** The row number of the header. */
  headerRow: number;
  /** The first rows below the header, as they are in the file. */
  samples: string[][];
  /** The encoding of a text; null for a workbook. */
  encoding: ImportEncoding | null;
};

export type ReadBatch = { rows: StagedRow[]; problems: ImportProblem[] };

const sampleRows = 5;
const sampleLength = 200;

/** Reads the header and detects the dialect. Throws SheetError for a file without a table. */
export async function readHead(source: TableSource): Promise<TableHead> {
  let head: TableHead | undefined;
  for await (const rows of tableRows(source)) {
    for (const { cells, row } of rows) {
      if (head) head.samples.push(head.header.map((_, index) => toSampleText(cells[index])));
      else head = toTableHead(cells, { row, encoding: source.format === "text" ? source.encoding : null });
      if (head?.samples.length === sampleRows) return head;
    }
  }
  if (!head) throw new SheetError("not_a_spreadsheet", "The file is empty. Choose another file.");
  return head;
}

function toTableHead(
  cells: TableRow["cells"],
  { row, encoding }: Pick<TableHead, "encoding"> & { row: number },
): TableHead | undefined {
  const header = Array.from(cells, (cell) =>
    (cell ?? "")
      .replace(/[\ufeff\0]/g, "")
      .trim()
      .slice(0, sampleLength),
  );
  // Skips Excel's `sep=` line, which names the delimiter.
  if (header.every((name) => /^(?:sep=.?)?$/i.test(name))) return undefined;
  if (header.length > importLimits.columns) throw tooManyColumns();
  return { dialect: detectDialect(header), header, headerRow: row, samples: [], encoding };
}

/** Limits a cell to what the database and a page can hold. */
function toSampleText(cell: string | undefined): string {
  return (cell ?? "")
    .replace(/[\ufeff\0]/g, "")
    .trim()
    .slice(0, sampleLength)
    .toWellFormed();
}

/** Plans the columns and scans the whole table; `batches` then reads it. */
export async function openTableReader(
  source: TableSource,
  { head, chosen, options }: { head: TableHead; chosen: ChosenColumns; options: ImportOptions },
): Promise<{ plan: ColumnPlan; counts: ReadCounts; batches: AsyncGenerator<ReadBatch> }> {
  const plan = planColumns(head.header, head.dialect, chosen);
  const firstPass = new FirstPass(plan);
  let rowCount = 0;
  for await (const rows of tableRows(source, firstPass.columnsToDecode)) {
    for (const { cells, row } of rows) {
      if (row <= head.headerRow) continue;
      rowCount += 1;
      firstPass.scan(cells);
    }
    if (rowCount > importLimits.rows) throw tooManyRows();
  }
  const reader = new CatalogReader(plan, { facts: firstPass.facts(), options });
  for (const column of plan.repeated) {
    const message = "Duplicate column. Only the first one is imported.";
    reader.collector.warn({ row: head.headerRow, sku: null, column, message });
  }
  return { plan, counts: reader.collector.counts, batches: readBatches(source, { head, plan, reader }) };
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

function tooManyRows(): SheetError {
  const maxRows = importLimits.rows.toLocaleString("en-US");
  return new SheetError("too_many_rows", `The file has more than ${maxRows} rows. Split it and upload the parts.`);
}
