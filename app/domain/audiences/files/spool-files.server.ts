import { tmpdir } from "node:os";
import { join } from "node:path";
import { DomainError } from "#app/domain/errors.ts";
import { retryLaterHint } from "#app/domain/heartbeat.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { createSpool, type Spool, type SpooledFile } from "#app/sheets/encrypted-spool.server.ts";
import { sanitizeFileName } from "./file-name.ts";
import { fileTooLarge, rethrowWithFileName } from "./upload-rejected-error.ts";

/**
 * Creates a spool for files that cannot be read as they arrive. Throws `unavailable` when the disk is full or its
 * directory belongs to another user.
 */
export async function createUploadSpool(): Promise<Spool> {
  const spool = await createSpool(join(tmpdir(), "endcap-spool")).catch(noRoom);
  return { ...spool, write: (chunk) => spool.write(chunk).catch(noRoom) };
}

function noRoom(cause: unknown): never {
  const message = `We can't accept the file right now. The audience was not changed. ${retryLaterHint}`;
  throw new DomainError("unavailable", message, { retryAfterSeconds: 60, cause });
}

/**
 * Spools files that are read later, when their upload gets a slot. They are encrypted, have no name on disk, and their
 * key is in memory only. Throws FileRejectedError for a file over the size limit and rethrows the error of an
 * interrupted stream; in both cases nothing is left on disk.
 */
export async function spoolFiles(files: AsyncIterable<ReceivedFile>): Promise<AsyncIterable<ReceivedFile>> {
  const spooledFiles: { name: string; spooled: SpooledFile }[] = [];
  try {
    for await (const file of files) {
      const spooled = await spoolFile(file).catch((error: unknown) =>
        rethrowWithFileName(error, { name: sanitizeFileName(file.name), before: [] }),
      );
      spooledFiles.push({ name: file.name, spooled });
    }
  } catch (error) {
    for (const { spooled } of spooledFiles) await spooled.dispose();
    throw error;
  }
  return readOnce(spooledFiles);
}

/** Disposes of spooled files that nobody reads. */
export async function discardFiles(files: AsyncIterable<ReceivedFile>): Promise<void> {
  // The end of the iteration disposes of all of them; one that never begins has no end.
  for await (const _ of files) break;
}

async function spoolFile(file: ReceivedFile): Promise<SpooledFile> {
  const spool = await createUploadSpool();
  try {
    for await (const chunk of file.stream) await spool.write(chunk);
    if (file.isTruncated()) throw fileTooLarge();
    return await spool.finish();
  } finally {
    await spool.discard();
  }
}

/** Disposes of each file when the next one is requested, and of all files at the end, even after an error. */
async function* readOnce(receivedFiles: { name: string; spooled: SpooledFile }[]): AsyncGenerator<ReceivedFile> {
  try {
    for (const { name, spooled } of receivedFiles) {
      yield { name, stream: spooled.stream(), isTruncated: () => false, spooled };
      await spooled.dispose();
    }
  } finally {
    for (const { spooled } of receivedFiles) await spooled.dispose();
  }
}
