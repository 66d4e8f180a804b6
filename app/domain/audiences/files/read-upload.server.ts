import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { type ReadEncoding, type TextEncoding, textEncodingLabels } from "#app/sheets/text/encodings.ts";
import { type UploadFile, uploadLimits } from "../audience.ts";
import { consentOf, type FileLayout } from "./column-uses.ts";
import { FileImporter, type ImportOptions } from "./file-importer.server.ts";
import { sanitizeFileName } from "./file-name.ts";
import { readFile } from "./read-file.server.ts";
import type { AddressCounts } from "./row-reader.ts";
import { spoolFiles } from "./spool-files.server.ts";
import { rethrowWithFileName } from "./upload-rejected-error.ts";
import { acquireUploadSlot, tryAcquireUploadSlot, type UploadSlotLease } from "./upload-slots.server.ts";

/** The hashed content of an upload's files, which the importer holds. The caller closes the importer. */
export type ParsedUpload = { importer: FileImporter; files: UploadFile[]; droppedColumns: string[]; notes: string[] };

/** `encoding` is the one that the uploader chose for text; undefined detects it. */
export type ReadOptions = ImportOptions & { encoding?: TextEncoding | undefined };
type Received = ReadOptions & { files: AsyncIterable<ReceivedFile> };

/**
 * Receives the files of an upload: reads them one by one as they arrive or, while all upload slots are in use, spools
 * them to disk. Resolves when all files have arrived; the returned function reads the spooled ones. Raw identifiers are
 * in memory only, or encrypted. Both functions throw FileRejectedError for a rejected file and rethrow the error of an
 * interrupted stream.
 */
export async function receiveFiles({ files, ...options }: Received): Promise<() => Promise<ParsedUpload>> {
  const slot = tryAcquireUploadSlot();
  if (!slot) {
    const spooled = await spoolFiles(files);
    return async () => readWithSlot({ ...options, files: spooled }, await acquireUploadSlot());
  }
  const read = await readWithSlot({ ...options, files }, slot);
  return async () => read;
}

async function readWithSlot({ files, encoding, ...options }: Received, turn: UploadSlotLease): Promise<ParsedUpload> {
  let importer: FileImporter | undefined;
  try {
    importer = new FileImporter({ ...options, onClose: turn.release });
    return { importer, ...(await readFiles(importer, { ...options, files, encoding, turn })) };
  } catch (error) {
    await importer?.close();
    // The system may have no room for the importer's thread.
    turn.release();
    throw error;
  }
}

async function readFiles(
  importer: FileImporter,
  {
    files,
    encoding,
    includesOptOuts,
    turn,
  }: Pick<Received, "files" | "encoding" | "includesOptOuts"> & { turn: UploadSlotLease },
) {
  const done: UploadFile[] = [];
  const dropped = new Set<string>();
  const notes: string[] = [];
  for await (const file of files) {
    if (done.length === uploadLimits.files) {
      throw new FileRejectedError(`Upload up to ${uploadLimits.files} files at a time. Upload the rest separately.`);
    }
    const name = sanitizeFileName(file.name);
    const read = await readFile(importer, { file, index: done.length, encoding, onWaited: turn.reportWait }).catch(
      (error: unknown) => rethrowWithFileName(error, { name, before: done }),
    );
    for (const column of read.dropped) dropped.add(column);
    if (read.headerless) notes.push(`${name} has no header row. The first row was imported as data.`);
    const { bytes, format, rows, layout } = read;
    if (layout && !includesOptOuts) notes.push(...noteIgnoredConsents(name, layout));
    if (read.encoding) notes.push(...noteUnreadable(name, read.encoding));
    if (read.hiddenSheets) notes.push(noteHidden(name, read.hiddenSheets));
    if (read.addresses) notes.push(...noteAddresses(name, read.addresses));
    done.push({
      name,
      bytes,
      format,
      rows,
      ...(read.encoding && { encoding: read.encoding }),
      ...(layout && { layout }),
    });
  }
  if (done.length === 0) throw new FileRejectedError("Choose at least one file");
  return { files: done, droppedColumns: [...dropped].slice(0, 200), notes };
}

/** Says which columns look like answers about marketing and are not read as such, because the uploader chose that. */
function noteIgnoredConsents(name: string, { columns }: FileLayout): string[] {
  const ignored = columns.filter(({ use, detected }) => consentOf(detected) && !consentOf(use));
  if (ignored.length === 0) return [];
  const list = ignored.map((column) => `“${column.name}”`).join(", ");
  return [
    ignored.length === 1
      ? `${name}: ${list} looks like an answer about marketing and was not read as one, as you chose. People who opted out there were not left out.`
      : `${name}: ${list} look like answers about marketing and were not read as such, as you chose. People who opted out there were not left out.`,
  ];
}

function noteHidden(name: string, count: number): string {
  return count === 1
    ? `${name} has a hidden sheet, which was not read.`
    : `${name} has ${count.toLocaleString("en-US")} hidden sheets, which were not read.`;
}

/** Says how many people have no whole address, where addresses are imported. */
function noteAddresses(name: string, { complete, incomplete }: AddressCounts): string[] {
  if (incomplete === 0) return [];
  const format = (count: number) => count.toLocaleString("en-US");
  return [
    `${name}: ${format(incomplete)} of ${format(complete + incomplete)} rows ${incomplete === 1 ? "has" : "have"} no valid name, postal code and country. Channels find those people by email address and phone number only.`,
  ];
}

/** Warns about text that does not fit its encoding. */
function noteUnreadable(name: string, { encoding, unreadable }: ReadEncoding): string[] {
  if (unreadable === 0) return [];
  const [isOne, count] = [unreadable === 1, unreadable.toLocaleString("en-US")];
  if (encoding === "utf-8") {
    const [cells, were] = isOne ? ["cell that is", "It was"] : ["cells that are", "They were"];
    return [`${name} has ${count} ${cells} not UTF-8. ${were} read as Windows-1252.`];
  }
  const characters = isOne ? "character that doesn't" : "characters that don't";
  return [
    `${name} has ${count} ${characters} exist in ${textEncodingLabels[encoding]}. If the encoding is wrong, upload the file again and choose another.`,
  ];
}
