import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { env } from "#app/env.server.ts";
import { StorageError } from "./file-storage.ts";

/** A file being uploaded; `path` is generated and accessible to its owner only. */
export type IncomingFile = { path: string; bytes: number; sha256: string };

/** Returns a path for an incoming file in an existing folder. The caller deletes the file. */
export async function newIncomingPath(): Promise<string> {
  await mkdir(folder(), { recursive: true, mode: 0o700 }).catch(throwStorageError);
  return join(folder(), randomUUID());
}

/** Writes a stream to a file and hashes it. Throws StorageError when it cannot be written, and errors of the stream. */
export async function receiveFile(stream: Readable): Promise<IncomingFile> {
  const path = await newIncomingPath();
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await open(path, "wx", 0o600).catch(throwStorageError);
  try {
    for await (const piece of stream) {
      hash.update(piece);
      bytes += piece.length;
      await file.writeFile(piece).catch(throwStorageError);
    }
  } catch (error) {
    await deleteIncoming([path]);
    throw error;
  } finally {
    await file.close();
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

export function readIncoming(path: string): Readable {
  return createReadStream(path);
}

export async function deleteIncoming(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}

/** Deletes files that a crash left behind; returns their number. */
export async function sweepIncoming(before: Date): Promise<number> {
  let dropped = 0;
  const entries = await opendir(folder()).catch(() => undefined);
  if (!entries) return 0;
  for await (const { name } of entries) {
    const path = join(folder(), name);
    const stats = await stat(path).catch(() => undefined);
    if (!stats || stats.mtime >= before) continue;
    await deleteIncoming([path]);
    dropped += 1;
  }
  return dropped;
}

function folder(): string {
  return join(env().dataDir, "incoming");
}

function throwStorageError(error: unknown): never {
  throw new StorageError(error);
}
