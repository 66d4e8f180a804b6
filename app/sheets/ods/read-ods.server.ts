import { encryptedSheet, SheetError, sheetLimitExceeded } from "../sheet-error.ts";
import { defaultSheetLimits, type RandomAccessFile, type SheetHandlers, type SheetLimits } from "../sheet-types.ts";
import { saveAsHint } from "../workbook.server.ts";
import { asUtf8, forEachElement } from "../xml-part.server.ts";
import { inflateEntry, requireEntrySize } from "../zip/inflate-entry.server.ts";
import { readZipDirectory, type ZipEntry } from "../zip/zip-directory.server.ts";
import { OdsRows } from "./ods-rows.server.ts";

/** The list of an archive's files. */
const maxManifestBytes = 1024 * 1024;

/**
 * Reads the rows of all tables of an OpenDocument spreadsheet (.ods), with the events and errors of `readXlsx` and in
 * bounded memory. Rows without content are skipped, however often they are repeated. Values are those of
 * `formatOdsCell`.
 */
export async function readOds(
  file: RandomAccessFile,
  { limits: overrides, signal, onSheet, onRow, columnsToDecode }: SheetHandlers & { limits?: Partial<SheetLimits> },
): Promise<void> {
  const limits = { ...defaultSheetLimits, ...overrides };
  const content = await findContent(file, limits);
  const rows = new OdsRows(limits);
  let cells = 0;
  let sheets = 0;
  let isRead = false;
  for await (const piece of asUtf8(inflateEntry(file, content))) {
    signal?.throwIfAborted();
    rows.feed(piece);
    for (;;) {
      rows.columnsToDecode = isRead ? columnsToDecode?.() : new Set();
      const event = rows.next();
      if (!event) break;
      if (event.kind === "sheet") {
        sheets += 1;
        isRead = (await onSheet?.(event.sheet)) !== false;
        continue;
      }
      for (let repeated = 0; repeated < event.count; repeated += 1) {
        cells += event.cells.length;
        if (cells > limits.cells) throw sheetLimitExceeded("too_many_cells");
        if (repeated % 1024 === 0) signal?.throwIfAborted();
        const pending = onRow(repeated === 0 ? event.cells : [...event.cells], event.number + repeated);
        if (pending instanceof Promise) await pending;
      }
    }
  }
  rows.requireComplete();
  if (sheets === 0) throw notASpreadsheet();
}

function notASpreadsheet(): SheetError {
  return new SheetError("not_a_spreadsheet", `This file is not an OpenDocument spreadsheet. ${saveAsHint}`);
}

/** Returns the part with the tables. Throws SheetError for an encrypted document and for one that is no spreadsheet. */
async function findContent(file: RandomAccessFile, limits: SheetLimits): Promise<ZipEntry> {
  const entries = await readZipDirectory(file, limits);
  const content = entries.get("content.xml");
  if (content === undefined) throw notASpreadsheet();
  const manifest = entries.get("meta-inf/manifest.xml");
  if (manifest) {
    requireEntrySize(manifest, maxManifestBytes, limits);
    await forEachElement(inflateEntry(file, manifest), (at) => {
      if (at.name() === "encryption-data") throw encryptedSheet();
    });
  }
  requireEntrySize(content, Math.min(limits.sheetBytes, limits.totalBytes), limits);
  await requireSpreadsheet(file, entries.get("mimetype"));
  return content;
}

/** The archive's first file names its type; texts and presentations have the same parts. */
async function requireSpreadsheet(file: RandomAccessFile, mimetype: ZipEntry | undefined): Promise<void> {
  if (mimetype === undefined || mimetype.uncompressedSize > 200) return;
  const pieces: Buffer[] = [];
  for await (const piece of inflateEntry(file, mimetype)) pieces.push(piece);
  const type = Buffer.concat(pieces).toString("latin1").trim();
  if (!/^application\/vnd\.oasis\.opendocument\.spreadsheet(?:-template)?$/.test(type)) {
    throw new SheetError(
      "not_a_spreadsheet",
      "This is a document or presentation. Upload a spreadsheet or a .csv file.",
    );
  }
}
