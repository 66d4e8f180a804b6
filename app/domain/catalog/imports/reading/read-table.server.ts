import { SheetError } from "#app/sheets/sheet-error.ts";
import {
  type ChosenColumns,
  type Dialect,
  type ImportOptions,
  type ImportProblem,
  importLimits,
} from "../catalog-import.ts";
import { CatalogReader } from "./catalog-reader.ts";
import { type ColumnPlan, planColumns } from "./column-plan.ts";
import { dialectOf } from "./dialect.ts";
import type { ReadCounts, StagedRow } from "./product-collector.ts";
import type { TableRow } from "./row-channel.ts";
import { Survey } from "./survey.ts";
import { type TableSource, tableRows, tooManyColumns } from "./table.server.ts";

/** A table by its first rows. */
export type TableHead = {
  dialect: Dialect;
  header: string[];
  /** The row that the header is. */
  headerRow: number;
  /** The first rows below it, as they stand in the file. */
  samples: string[][];
};

export type ReadBatch = { rows: StagedRow[]; problems: ImportProblem[] };

const sampleRows = 5;
const sampleLength = 200;

/** The header and what made the file. Throws SheetError for a file without a table. */
export async function readHead(source: TableSource): Promise<TableHead> {
  let head: TableHead | undefined;
  for await (const rows of tableRows(source)) {
    for (const { cells, row } of rows) {
      if (head) head.samples.push(head.header.map((_, index) => shown(cells[index])));
      else head = headOf(cells, row);
      if (head?.samples.length === sampleRows) return head;
    }
  }
  if (!head) throw new SheetError("not_a_spreadsheet", "The file is empty");
  return head;
}

function headOf(cells: TableRow["cells"], row: number): TableHead | undefined {
  const header = Array.from(cells, (cell) =>
    (cell ?? "")
      .replace(/[\ufeff\0]/g, "")
      .trim()
      .slice(0, sampleLength),
  );
  // Excel's own line that names the delimiter.
  if (header.every((name) => /^(?:sep=.?)?$/i.test(name))) return undefined;
  if (header.length > importLimits.columns) throw tooManyColumns();
  return { dialect: dialectOf(header), header, headerRow: row, samples: [] };
}

/** What the database and a page can carry of a cell. */
function shown(cell: string | undefined): string {
  return (cell ?? "")
    .replace(/[\ufeff\0]/g, "")
    .trim()
    .slice(0, sampleLength)
    .toWellFormed();
}

/** Plans the columns and looks at the table as a whole; then `batches` reads it. */
export async function openReading(
  source: TableSource,
  { head, chosen, options }: { head: TableHead; chosen: ChosenColumns; options: ImportOptions },
): Promise<{ plan: ColumnPlan; counts: ReadCounts; batches: AsyncGenerator<ReadBatch> }> {
  const plan = planColumns(head.header, head.dialect, chosen);
  const survey = new Survey(plan);
  let rowCount = 0;
  for await (const rows of tableRows(source, survey.wanted)) {
    for (const { cells, row } of rows) {
      if (row <= head.headerRow) continue;
      rowCount += 1;
      survey.look(cells);
    }
    if (rowCount > importLimits.rows) throw tooManyRows();
  }
  const reader = new CatalogReader(plan, { facts: survey.facts(), options });
  for (const column of plan.repeated) {
    const message = "This column is there twice; the first one is read";
    reader.collector.warn({ row: head.headerRow, sku: null, column, message });
  }
  return { plan, counts: reader.collector.counts, batches: readBatches(source, { head, plan, reader }) };
}

async function* readBatches(
  source: TableSource,
  { head, plan, reader }: { head: TableHead; plan: ColumnPlan; reader: CatalogReader },
): AsyncGenerator<ReadBatch> {
  for await (const rows of tableRows(source, plan.wanted)) {
    for (const { cells, row, count } of rows) {
      if (row > head.headerRow) readOne(reader, { cells, row, count }, head);
    }
    yield reader.collector.takeBatch();
  }
}

/** A spreadsheet leaves out empty cells at the end of a row, so that only more than the header has is too many. */
function readOne(reader: CatalogReader, { cells, row, count }: TableRow, { header }: TableHead): void {
  const cellCount = count >= 0 ? count : Math.max(cells.length, header.length);
  reader.read(cells, row, cellCount);
}

function tooManyRows(): SheetError {
  const most = importLimits.rows.toLocaleString("en-US");
  return new SheetError("too_many_rows", `The file has more than ${most} rows. Split it and send the parts.`);
}
