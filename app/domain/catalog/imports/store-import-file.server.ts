import { tmpdir } from "node:os";
import { join } from "node:path";
import { sanitizeFileName } from "#app/domain/audiences/files/file-name.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { detectFormat } from "#app/sheets/detect-format.ts";
import { createSpool } from "#app/sheets/encrypted-spool.server.ts";
import { type OpenedFile, openReceived } from "#app/sheets/open-received.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { productImportChunks } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { importLimits } from "./catalog-import.ts";
import { type ImportRun, storeInRun, updateRunning } from "./import-rows.server.ts";
import { looksLikeFeed } from "./parsing/feed-rows.server.ts";

const chunkBytes = 512 * 1024;

/**
 * Stores the file of an import in chunks as it arrives, unpacked. Returns its size and format. Throws FileRejectedError
 * for a second file, one that is too large, also unpacked, and one that is not a table, and an ImportEndedError.
 */
export async function storeImportFile(ctx: Ctx<TenantActor>, run: ImportRun, files: AsyncIterable<ReceivedFile>) {
  let stored: { bytes: number; format: string } | undefined;
  for await (const file of files) {
    if (stored) throw new FileRejectedError("Upload one file at a time");
    const fileName = sanitizeFileName(file.name);
    // Stored at once, so that a rejected file is named too.
    await updateRunning(ctx, run, { fileName });
    const spool = () => createSpool(join(tmpdir(), "endcap-spool"));
    const opened = await openReceived(arriving(file), { maxBytes: importLimits.bytes, createSpool: spool }).catch(
      rethrowRejection,
    );
    try {
      stored = await storeChunks(ctx, run, opened);
    } catch (error) {
      rethrowRejection(error);
    } finally {
      await opened.close();
    }
  }
  if (!stored) throw new FileRejectedError("Choose a file");
  return stored;
}

/** Throws FileRejectedError at the end of a file that was cut at its limit. */
async function* arriving(file: ReceivedFile): AsyncGenerator<Buffer> {
  for await (const chunk of file.stream) yield chunk;
  if (file.isTruncated()) throw tooLarge();
}

function rethrowRejection(error: unknown): never {
  if (!(error instanceof SheetError)) throw error;
  throw error.code === "too_large_unpacked" ? tooLarge() : new FileRejectedError(error.message);
}

/** Stores the file in chunks. Its first bytes decide whether it is accepted. */
async function storeChunks(ctx: Ctx<TenantActor>, run: ImportRun, { head, pieces }: OpenedFile) {
  let bytes = 0;
  let number = 0;
  const format = requireFormat(head);
  let buffered: Buffer[] = [];
  let size = 0;
  const store = async () => {
    const piece = Buffer.concat(buffered);
    buffered = [];
    size = 0;
    const { accountId } = ctx.actor;
    const row = { importId: run.id, accountId, number, bytes: piece };
    await storeInRun(ctx, run, (tx) => tx.db.insert(productImportChunks).values(row));
    number += 1;
  };
  for await (const chunk of pieces) {
    buffered.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    if (bytes > importLimits.bytes) throw tooLarge();
    if (size >= chunkBytes) await store();
  }
  await store();
  return { bytes, format };
}

/**
 * Returns `text`, `feed` or a `SpreadsheetFormat`; the encoding of text is detected when it is read. Throws
 * FileRejectedError when the file is not a table.
 */
function requireFormat(head: Buffer): string {
  if (looksLikeFeed(head)) return "feed";
  const detected = detectFormat(head);
  if (detected.kind === "rejected") throw new FileRejectedError(detected.message);
  return detected.kind;
}

function tooLarge(): FileRejectedError {
  const megabytes = importLimits.bytes / 1024 / 1024;
  return new FileRejectedError(`The file is larger than ${megabytes} MB. Split it and upload the parts.`, {
    tooLarge: true,
  });
}
