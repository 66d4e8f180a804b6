import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { link, lstat, open, rename, rm } from "node:fs/promises";
import { constants } from "node:os";
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

const stopSignals = ["SIGINT", "SIGTERM"] as const;

/** Why a file cannot be written, which is the operator's to mend. */
const writeErrors = /^(ENOENT|EACCES|EPERM|EROFS|ENOTDIR|ENAMETOOLONG|ENOSPC|EDQUOT|EFBIG)$/;

/**
 * Writes entries to a gzipped tar archive that only its owner can read. The file appears under its name when it is
 * complete and durable. Throws StartupError when there is a file with that name, also when another process has written
 * it meanwhile.
 */
export async function writeArchive(path: string, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  if (await exists(path)) throw fileExists(path);
  // Two backups to one name at a time, such as a scheduled one and an operator's, must not write into one file.
  const draft = `${path}.${randomUUID()}.unfinished`;
  const stop = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of stopSignals) process.on(signal, stop);
  try {
    const file = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(packed(entries), createGzip({ level: 1 }), file);
    await nameOnce(draft, path);
  } catch (error) {
    const code = errorCode(error) ?? "";
    throw writeErrors.test(code) ? new StartupError(`${path} could not be written (${code})`) : error;
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
    await rm(draft, { force: true });
  }
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}

/** Gives a file its name, unless there is one with it. */
async function nameOnce(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST" || (await exists(path))) throw fileExists(path);
    // The file system has no links.
    await rename(draft, path);
  }
}

/** Also where the file may not be read. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function fileExists(path: string): StartupError {
  return new StartupError(`${path} exists. Name another file.`);
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
