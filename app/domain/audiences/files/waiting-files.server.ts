import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSpool, type Spool, type SpooledFile } from "#app/sheets/encrypted-spool.server.ts";
import { DomainError } from "../../errors.ts";
import { sendAgain } from "../../heartbeat.ts";
import { shownFileName } from "./file-name.ts";
import { fileTooLarge, refuseFile } from "./file-refusal.ts";
import type { ReceivedFile } from "./received-file.ts";

/** Where files wait that cannot be read as they arrive. Throws `unavailable` when the disk has no room, or is not ours. */
export async function openSpool(): Promise<Spool> {
  const spool = await createSpool(join(tmpdir(), "endcap-spool")).catch(noRoom);
  return { ...spool, write: (chunk) => spool.write(chunk).catch(noRoom) };
}

function noRoom(cause: unknown): never {
  const message = `There is no room for the file on our side at the moment; the audience is as it was. ${sendAgain}`;
  throw new DomainError("unavailable", message, { retryAfterSeconds: 60, cause });
}

/**
 * Takes files in that are read later, when it is their upload's turn: encrypted, without a name on the disk, the key in
 * memory only. Throws FileRefusal for one over its limit, and what a stream throws that breaks off; then nothing is left.
 */
export async function keepFiles(files: AsyncIterable<ReceivedFile>): Promise<AsyncIterable<ReceivedFile>> {
  const kept: { name: string; spooled: SpooledFile }[] = [];
  try {
    for await (const file of files) {
      const spooled = await keep(file).catch((error: unknown) =>
        refuseFile(error, { name: shownFileName(file.name), before: [] }),
      );
      kept.push({ name: file.name, spooled });
    }
  } catch (error) {
    for (const { spooled } of kept) await spooled.dispose();
    throw error;
  }
  return readOnce(kept);
}

async function keep(file: ReceivedFile): Promise<SpooledFile> {
  const spool = await openSpool();
  try {
    for await (const piece of file.stream) await spool.write(piece);
    if (file.isTruncated()) throw fileTooLarge();
    return await spool.finish();
  } finally {
    await spool.discard();
  }
}

/** Each is gone when the next one is asked for, and all of them at the end, however it comes. */
async function* readOnce(kept: { name: string; spooled: SpooledFile }[]): AsyncGenerator<ReceivedFile> {
  try {
    for (const { name, spooled } of kept) {
      yield { name, stream: spooled.stream(), isTruncated: () => false, spooled };
      await spooled.dispose();
    }
  } finally {
    for (const { spooled } of kept) await spooled.dispose();
  }
}
