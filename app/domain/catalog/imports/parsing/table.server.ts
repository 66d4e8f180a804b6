import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import { openSpool, type SpoolHandle } from "#app/sheets/encrypted-spool.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import type { SpreadsheetFormat } from "#app/sheets/sheet-types.ts";
import { loadSpreadsheetReader } from "#app/sheets/spreadsheet-reader.server.ts";
import { TextToUtf8 } from "#app/sheets/text/text-to-utf8.ts";
import { type ImportEncoding, importLimits } from "../catalog-import.ts";
import { type FeedSource, feedRows } from "./feed-rows.server.ts";
import { RowChannel, type TableRow } from "./row-channel.ts";

/** A file as the worker thread gets it: text in memory, or a workbook in an encrypted file on disk. */
export type TextSource = { format: "text"; encoding: ImportEncoding; pieces: readonly Buffer[] };
/**
 * `sheet`: the number of the sheet that is read, from 1; without it, the first visible one with content. `otherSheets`
 * gets the names of the visible sheets that are not read.
 */
export type SpreadsheetSource = {
  format: SpreadsheetFormat;
  spool: SpoolHandle;
  sheet?: number;
  otherSheets?: Set<string>;
};
export type TableSource = TextSource | FeedSource | SpreadsheetSource;

/**
 * Yields the rows of a file in order, in batches; of a workbook those of one sheet, of a feed its items. For text, only
 * the columns in `columnsToDecode` are decoded and blank rows are skipped. Throws SheetError when the file cannot be
 * read.
 */
export function tableRows(source: TableSource, columnsToDecode?: ReadonlySet<number>): AsyncGenerator<TableRow[]> {
  if (source.format === "feed") return feedRows(source);
  return source.format === "text" ? textRows(source, columnsToDecode) : sheetRows(source);
}

async function* textRows(
  { encoding, pieces }: TextSource,
  columnsToDecode: ReadonlySet<number> | undefined,
): AsyncGenerator<TableRow[]> {
  let rows: TableRow[] = [];
  let row = 0;
  let damagedCells = 0;
  const isUtf8 = encoding.encoding === "utf-8";
  const scanner = new CsvScanner((cells, _line, count) => {
    row += 1;
    const isDamaged = isUtf8
      ? scanner.damagedCells > damagedCells
      : cells.some((cell) => cell?.includes("\ufffd") === true);
    damagedCells = scanner.damagedCells;
    if (cells.every((cell) => (cell ?? "").trim() === "") && !scanner.recordHasContent()) return;
    rows.push({ cells, row, count, ...(isDamaged && { isDamaged }) });
  });
  scanner.columnsToDecode = columnsToDecode;
  const converter = new TextToUtf8(encoding);
  for (const piece of pieces) {
    scanner.push(converter.push(piece));
    yield rows;
    rows = [];
  }
  scanner.push(converter.end());
  scanner.end();
  yield rows;
}

async function* sheetRows({ format, spool, sheet: chosen, otherSheets }: SpreadsheetSource) {
  const channel = new RowChannel();
  let sheet = 0;
  let contentSheet = 0;
  const read = await loadSpreadsheetReader(format);
  const reading = read(openSpool(spool), {
    signal: channel.signal,
    onSheet: ({ name, hidden }) => {
      sheet += 1;
      const isRead = !hidden && (chosen === undefined ? contentSheet === 0 : sheet === chosen);
      if (!isRead && !hidden) otherSheets?.add(name);
      return isRead;
    },
    onRow: (cells, row) => {
      if (isBlankRow(cells)) return undefined;
      contentSheet = sheet;
      if (cells.length > importLimits.columns) throw tooManyColumns();
      // Copied, because a cell otherwise retains a megabyte of the file.
      return channel.put({ cells: cells.map((cell) => Buffer.from(cell).toString()), row, count: -1 });
    },
  });
  reading.then(
    () => channel.end(),
    (error: unknown) => channel.end(error),
  );
  try {
    yield* channel.batches();
  } finally {
    channel.stop();
    await reading.catch(() => undefined);
  }
}

export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

export function tooManyColumns(): SheetError {
  return new SheetError(
    "too_many_columns",
    `The file has more than ${importLimits.columns.toLocaleString("en-US")} columns. Remove the ones you don't need.`,
  );
}
