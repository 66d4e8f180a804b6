import { isCompoundFile, isEncryptedPackage } from "./compound-file.server.ts";
import { readCellFormats } from "./numbers/cell-formats.server.ts";
import { readSharedStrings } from "./shared-strings.server.ts";
import { encryptedSheet, SheetError } from "./sheet-error.ts";
import { type CellCount, SheetRows } from "./sheet-rows.server.ts";
import { defaultSheetLimits, type RandomAccessFile, type SheetHandlers, type SheetLimits } from "./sheet-types.ts";
import { findWorkbook, notASpreadsheet, saveAsHint } from "./workbook.server.ts";
import { asUtf8 } from "./xml-part.server.ts";
import { inflateEntry } from "./zip/inflate-entry.server.ts";
import { readZipDirectory, type ZipEntry } from "./zip/zip-directory.server.ts";

/**
 * Reads the rows of all worksheets of an .xlsx or .xlsm, in the workbook's order and in bounded memory: only the table
 * of shared strings grows with the file, up to a limit. Values are text: numbers and dates as their cells' formats show
 * them (`compileNumberFormat`), TRUE and FALSE, errors as `#N/A`, formulas as the value that was saved with them or
 * `unsavedFormula`. Nothing is executed or fetched. Throws SheetError for a defect of the file, and the errors of
 * `onRow`, the signal and the disk. Discard the rows that were delivered before an error.
 *
 * A cell that is retained keeps up to a megabyte around it in memory: copy the few that are (`Buffer.from(cell)`).
 */
export async function readXlsx(
  file: RandomAccessFile,
  { limits: overrides, signal, onSheet, onRow, columnsToDecode }: SheetHandlers & { limits?: Partial<SheetLimits> },
): Promise<void> {
  const limits = { ...defaultSheetLimits, ...overrides };
  await requireXlsx(file);
  const entries = await readZipDirectory(file, limits);
  const workbook = await findWorkbook({ file, entries, limits });
  const { sharedStrings, styles } = workbook;
  const strings = sharedStrings && (await readSharedStrings(pieces(file, sharedStrings, signal), limits));
  const formats = styles ? await readCellFormats(pieces(file, styles, signal), workbook) : [];
  const count: CellCount = { cells: 0 };
  for (const { entry, name, hidden } of workbook.sheets) {
    if ((await onSheet?.({ name, hidden })) === false) continue;
    const rows = new SheetRows({ strings, formats }, limits, count);
    for await (const piece of pieces(file, entry, signal)) {
      rows.feed(piece);
      for (
        rows.columnsToDecode = columnsToDecode?.();
        rows.next() === "row";
        rows.columnsToDecode = columnsToDecode?.()
      ) {
        const pending = onRow(rows.cells, rows.rowNumber);
        if (pending instanceof Promise) await pending;
      }
    }
    rows.requireComplete();
  }
}

async function* pieces(
  file: RandomAccessFile,
  entry: ZipEntry,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for await (const piece of asUtf8(inflateEntry(file, entry))) {
    signal?.throwIfAborted();
    yield piece;
  }
}

/** Throws unless the file is an archive. An encrypted workbook is a container of the old format around the archive. */
async function requireXlsx(file: RandomAccessFile): Promise<void> {
  const start = Buffer.from(await file.read(0, Math.min(4, file.size)));
  if (start.equals(Buffer.from("PK\u0003\u0004", "latin1"))) return;
  if (!(await isCompoundFile(file))) throw notASpreadsheet();
  if (await isEncryptedPackage(file)) throw encryptedSheet();
  throw new SheetError("not_a_spreadsheet", `This workbook is in the old .xls format. ${saveAsHint}`);
}
