import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { detectFormat } from "#app/sheets/detect-format.ts";
import type { SpooledFile } from "#app/sheets/encrypted-spool.server.ts";
import { type OpenedFile, openReceived } from "#app/sheets/open-received.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import { uploadLimits } from "../audience.ts";
import { detectOptOutFile } from "../consent/opt-out-names.ts";
import type { FileImporter } from "./file-importer.server.ts";
import type { FileSummary } from "./import-protocol.ts";
import { createUploadSpool } from "./spool-files.server.ts";
import { fileTooLarge } from "./upload-rejected-error.ts";
import type { UploadSlotLease } from "./upload-slots.server.ts";

type FileToRead = {
  file: ReceivedFile;
  index: number;
  /** The encoding that the uploader chose for text. */
  encoding: TextEncoding | undefined;
  onWaited: UploadSlotLease["reportWait"];
};

/**
 * Reads one file by its detected format, whatever its name, also from gzip or an archive with one file. Throws
 * FileRejectedError. `onWaited` is called after each wait for the sender with its duration and the bytes that arrived;
 * reading stops with whatever error it throws.
 */
export async function readFile(
  importer: FileImporter,
  { file, index, encoding, onWaited }: FileToRead,
): Promise<FileSummary & { bytes: number; format: string }> {
  let bytes = 0;
  const source = file.stream[Symbol.asyncIterator]();
  const next = async (): Promise<Buffer | undefined> => {
    const since = performance.now();
    const { value, done } = await source.next();
    onWaited({ milliseconds: performance.now() - since, bytes: value?.length ?? 0 });
    if (done) {
      if (file.isTruncated()) throw fileTooLarge();
      return undefined;
    }
    bytes += value.length;
    return value;
  };
  async function* arriving(): AsyncGenerator<Buffer> {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  }
  const limits = { maxBytes: uploadLimits.fileBytes, createSpool: createUploadSpool };
  const opened = await openReceived(arriving(), limits).catch(rethrowRejection);
  try {
    const read = await readOpened(importer, { file, index, encoding, opened });
    return { ...read, bytes: file.spooled?.size ?? bytes };
  } catch (error) {
    return rethrowRejection(error);
  } finally {
    await opened.close();
  }
}

function rethrowRejection(error: unknown): never {
  throw error instanceof SheetError ? new FileRejectedError(error.message) : error;
}

async function readOpened(
  importer: FileImporter,
  { file, index, encoding, opened }: Omit<FileToRead, "onWaited"> & { opened: OpenedFile },
): Promise<FileSummary & { format: string }> {
  const { head, pieces, innerName, isUnpacked } = opened;
  const optedOut = detectOptOutFile(file.name) ?? (innerName === undefined ? undefined : detectOptOutFile(innerName));
  const format = detectFormat(head, encoding);
  if (format.kind === "rejected") throw new FileRejectedError(format.message);
  if (format.kind === "text") {
    const { encoding: known, source: knownBy } = format;
    const read = await importer.readText(
      { file: index, optedOut, encoding: { encoding: known, source: knownBy } },
      pieces,
    );
    return { ...read, format: "text" };
  }
  const readSheets = async (spooled: SpooledFile) => {
    const read = await importer.readSheets({ file: index, optedOut, format: format.kind, spool: spooled.describe() });
    return { ...read, format: format.kind };
  };
  if (file.spooled && !isUnpacked) return readSheets(file.spooled);
  const spool = await createUploadSpool();
  try {
    for await (const chunk of pieces) await spool.write(chunk);
    const spooled = await spool.finish();
    return await readSheets(spooled).finally(() => spooled.dispose());
  } finally {
    await spool.discard();
  }
}
