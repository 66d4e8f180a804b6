import { isCompoundFile, isEncryptedPackage } from "./compound-file.server.ts";
import { readSharedStrings } from "./shared-strings.server.ts";
import { encrypted, SheetError } from "./sheet-error.ts";
import { defaultSheetLimits, type RandomAccess, type SheetEvents, type SheetLimits } from "./sheet-reading.ts";
import { type CellCount, SheetRows } from "./sheet-rows.server.ts";
import { findWorkbook, notASpreadsheet, saveAs } from "./workbook.server.ts";
import { asUtf8 } from "./xml-part.server.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.server.ts";
import { unpackPart } from "./zip-part.server.ts";

/**
 * Reads the rows of all worksheets of an .xlsx or .xlsm, in the workbook's order and in bounded memory: nothing grows
 * with the file but the table of shared texts, which has a limit. Values as text: numbers as a program shows them,
 * dates as their serial number, TRUE and FALSE, errors as `#N/A`, formulas as the value that was saved with them.
 * Nothing is ever run or fetched. Throws SheetError for the file, and passes on what `onRow`, the signal and the disk
 * throw. Rows delivered before an error are to be thrown away.
 *
 * A cell kept for longer keeps up to a megabyte around it in memory: copy the few that are (`Buffer.from(cell)`).
 */
export async function readXlsx(
  file: RandomAccess,
  { limits: changed, signal, onSheet, onRow, wanted }: SheetEvents & { limits?: Partial<SheetLimits> },
): Promise<void> {
  const limits = { ...defaultSheetLimits, ...changed };
  await refuseOthers(file);
  const entries = await readZipDirectory(file, limits);
  const workbook = await findWorkbook({ file, entries, limits });
  const table = workbook.sharedStrings;
  const strings = table && (await readSharedStrings(pieces(file, table, signal), limits));
  const count: CellCount = { cells: 0 };
  for (const { entry, name, hidden } of workbook.sheets) {
    if ((await onSheet?.({ name, hidden })) === false) continue;
    const rows = new SheetRows(strings, limits, count);
    for await (const piece of pieces(file, entry, signal)) {
      rows.feed(piece);
      for (rows.wanted = wanted?.(); rows.next() === "row"; rows.wanted = wanted?.()) {
        const waiting = onRow(rows.cells, rows.rowNumber);
        if (waiting instanceof Promise) await waiting;
      }
    }
    rows.refuseUnfinished();
  }
}

async function* pieces(file: RandomAccess, entry: ZipEntry, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for await (const piece of asUtf8(unpackPart(file, entry))) {
    signal?.throwIfAborted();
    yield piece;
  }
}

/** A workbook with a password is no archive but the container of the old format, with the archive encrypted in it. */
async function refuseOthers(file: RandomAccess): Promise<void> {
  const start = Buffer.from(await file.read(0, Math.min(4, file.size)));
  if (start.equals(Buffer.from("PK\u0003\u0004", "latin1"))) return;
  if (!(await isCompoundFile(file))) throw notASpreadsheet();
  if (await isEncryptedPackage(file)) throw encrypted();
  throw new SheetError("not_a_spreadsheet", `This is a workbook of the old .xls format. ${saveAs}`);
}
