import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, packTar } from "modern-tar";
import { errorCode, StartupError } from "#app/startup-error.ts";

/** An entry of an archive. All are small enough for memory: rows are split into entries, and a file is one. */
export type ArchiveEntry = { name: string; data: Uint8Array };

/** Two empty blocks end an archive (POSIX.1-2017, ustar). */
const endMark = Buffer.alloc(1024);

/**
 * Writes entries to a gzipped tar archive that only its owner can read. The file appears under its name when it is complete and
 * durable. Throws StartupError when there is a file with that name.
 */
export async function writeArchive(path: string, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  const existing = await open(path, "r").catch(() => undefined);
  await existing?.close();
  if (existing) throw new StartupError(`${path} exists. Name another file.`);
  const draft = `${path}.unfinished`;
  try {
    const file = createWriteStream(draft, { mode: 0o600, flush: true });
    await pipeline(packed(entries), createGzip({ level: 1 }), file);
  } catch (error) {
    await rm(draft, { force: true });
    const code = errorCode(error);
    if (code === "ENOENT" || code === "EACCES" || code === "ENOSPC") {
      throw new StartupError(`${path} could not be written (${code})`);
    }
    throw error;
  }
  await rename(draft, path);
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}

async function* packed(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for await (const { name, data } of entries) {
    const archive = await packTar([{ header: { name, size: data.length, mode: 0o600 }, body: data }]);
    yield archive.subarray(0, archive.length - endMark.length);
  }
  yield endMark;
}

/** Reads an archive's entries in order. Throws StartupError for a file that is not a whole archive. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const unzipped = createGunzip();
  const reading = pipeline(createReadStream(path), unzipped);
  // The loop below throws the same error.
  reading.catch(() => undefined);
  try {
    const bytes = Readable.toWeb(unzipped) as unknown as ReadableStream<Uint8Array>;
    for await (const { header, body } of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
      yield { name: header.name, data: new Uint8Array(await new Response(body).arrayBuffer()) };
    }
    await reading;
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new StartupError(`${path} does not exist`);
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `${path} is not a complete backup: ${error instanceof Error ? error.message : "unreadable"}`,
    );
  } finally {
    unzipped.destroy();
  }
}
