import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import { openSpool, type SpoolDescription } from "#app/sheets/encrypted-spool.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { importLimits } from "../catalog-import.ts";
import { RowChannel, type TableRow } from "./row-channel.ts";

/** A file as the thread has it: text in memory, a workbook on disk, where only its key makes it readable. */
export type TableSource =
  | { format: "text"; encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252"; pieces: readonly Uint8Array[] }
  | { format: "xlsx" | "xls"; spool: SpoolDescription };

/**
 * The rows of a file, in its order, some at a time; of a workbook those of its first sheet that has any. Of a text only the
 * columns in `wanted` are made strings, and rows that have nothing in them are left out. Throws SheetError for what cannot be read.
 */
export function tableRows(source: TableSource, wanted?: ReadonlySet<number>): AsyncGenerator<TableRow[]> {
  return source.format === "text" ? textRows(source, wanted) : sheetRows(source);
}

async function* textRows(
  { encoding, pieces }: Extract<TableSource, { format: "text" }>,
  wanted: ReadonlySet<number> | undefined,
): AsyncGenerator<TableRow[]> {
  let rows: TableRow[] = [];
  let row = 0;
  const scanner = new CsvScanner((cells, _line, count) => {
    row += 1;
    if (cells.every((cell) => (cell ?? "").trim() === "")) return;
    rows.push({ cells, row, count });
  });
  scanner.wanted = wanted;
  // What is not UTF-8 in a cell is taken for Windows-1252 by the scanner itself.
  const decoder = encoding.startsWith("utf-16") ? new TextDecoder(encoding) : undefined;
  for (const piece of pieces) {
    scanner.push(decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : asBuffer(piece));
    yield rows;
    rows = [];
  }
  if (decoder) scanner.push(Buffer.from(decoder.decode()));
  scanner.end();
  yield rows;
}

async function* sheetRows({ format, spool }: Extract<TableSource, { format: "xlsx" | "xls" }>) {
  const channel = new RowChannel();
  let sheet = 0;
  let found = 0;
  const read = await readerOf(format);
  const reading = read(openSpool(spool), {
    signal: channel.signal,
    onSheet: ({ hidden }) => {
      sheet += 1;
      return found === 0 && !hidden;
    },
    onRow: (cells, row) => {
      if (cells.every((cell) => cell.trim() === "")) return undefined;
      found = sheet;
      if (cells.length > importLimits.columns) throw tooManyColumns();
      // Copies: a cell keeps a megabyte of the file around it.
      return channel.put({ cells: cells.map((cell) => Buffer.from(cell).toString()), row, count: -1 });
    },
  });
  reading.then(
    () => channel.end(),
    (error: unknown) => channel.end(error),
  );
  try {
    yield* channel.take();
  } finally {
    channel.stop();
    await reading.catch(() => undefined);
  }
}

/** Loaded when it is needed: most files are text, and the thread should begin at once. */
async function readerOf(format: "xlsx" | "xls") {
  return format === "xlsx"
    ? (await import("#app/sheets/read-xlsx.server.ts")).readXlsx
    : (await import("#app/sheets/read-xls.server.ts")).readXls;
}

/** The same bytes. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export function tooManyColumns(): SheetError {
  return new SheetError(
    "too_many_columns",
    `The table has more than ${importLimits.columns.toLocaleString("en-US")} columns. Leave only those that are needed.`,
  );
}
