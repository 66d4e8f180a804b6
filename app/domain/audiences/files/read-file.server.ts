import { detectFormat } from "#app/sheets/detect-format.ts";
import type { SpooledFile } from "#app/sheets/encrypted-spool.server.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import { isOptOutExport } from "../consent/consent-columns.ts";
import type { FileImporter } from "./file-importer.server.ts";
import { FileRejectedError, fileTooLarge } from "./file-rejected-error.ts";
import type { FileSummary } from "./import-protocol.ts";
import type { ReceivedFile } from "./received-file.ts";
import { createUploadSpool } from "./spool-files.server.ts";
import type { UploadSlotLease } from "./upload-slots.server.ts";

const headBytes = 8 * 1024;

type FileToRead = {
  file: ReceivedFile;
  index: number;
  /** The encoding that the uploader chose for text. */
  encoding: TextEncoding | undefined;
  onWaited: UploadSlotLease["reportWait"];
};

/**
 * Reads one file by its detected format, whatever its name. Throws FileRejectedError. `onWaited` is called after each
 * wait for the sender with its duration and the bytes that arrived; reading stops with whatever error it throws.
 */
export async function readFile(
  importer: FileImporter,
  { file, index, encoding, onWaited }: FileToRead,
): Promise<FileSummary & { bytes: number; format: string }> {
  let bytes = 0;
  const optedOut = isOptOutExport(file.name);
  const source = file.stream[Symbol.asyncIterator]();
  const head: Buffer[] = [];
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
  for (let chunk = await next(); chunk; chunk = await next()) {
    head.push(chunk);
    if (bytes >= headBytes) break;
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* head;
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  }
  const format = detectFormat(Buffer.concat(head).subarray(0, headBytes), encoding);
  if (format.kind === "rejected") throw new FileRejectedError(format.message);
  if (format.kind === "text") {
    const { encoding: known, source: knownBy } = format;
    const read = await importer.readText(
      { file: index, optedOut, encoding: { encoding: known, source: knownBy } },
      all(),
    );
    return { ...read, bytes, format: "text" };
  }
  const readSheets = async (spooled: SpooledFile) => {
    const read = await importer.readSheets({ file: index, optedOut, format: format.kind, spool: spooled.describe() });
    return { ...read, bytes: spooled.size, format: format.kind };
  };
  if (file.spooled) return readSheets(file.spooled);
  const spool = await createUploadSpool();
  try {
    for await (const chunk of all()) await spool.write(chunk);
    const spooled = await spool.finish();
    return await readSheets(spooled).finally(() => spooled.dispose());
  } finally {
    await spool.discard();
  }
}
