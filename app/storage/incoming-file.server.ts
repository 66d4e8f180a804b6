import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { env } from "#app/env.server.ts";
import { StorageError } from "./file-storage.ts";

/** A file as somebody sent it, on its way in; `path` is ours, for its owner only. */
export type IncomingFile = { path: string; bytes: number; sha256: string };

/** A path for a file on its way in, in a folder that exists. Who asked drops what is there then. */
export async function newIncomingPath(): Promise<string> {
  await mkdir(folder(), { recursive: true, mode: 0o700 }).catch(refuse);
  return join(folder(), randomUUID());
}

/** Writes what comes and counts it. Throws StorageError when it cannot be written, and what the stream throws. */
export async function receiveFile(stream: Readable): Promise<IncomingFile> {
  const path = await newIncomingPath();
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await open(path, "wx", 0o600).catch(refuse);
  try {
    for await (const piece of stream) {
      hash.update(piece);
      bytes += piece.length;
      await file.writeFile(piece).catch(refuse);
    }
  } catch (error) {
    await dropIncoming([path]);
    throw error;
  } finally {
    await file.close();
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

export function readIncoming(path: string): Readable {
  return createReadStream(path);
}

export async function dropIncoming(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}

/** Drops what a crash left; answers how many. */
export async function sweepIncoming(before: Date): Promise<number> {
  let dropped = 0;
  const entries = await opendir(folder()).catch(() => undefined);
  if (!entries) return 0;
  for await (const { name } of entries) {
    const path = join(folder(), name);
    const found = await stat(path).catch(() => undefined);
    if (!found || found.mtime >= before) continue;
    await dropIncoming([path]);
    dropped += 1;
  }
  return dropped;
}

function folder(): string {
  return join(env().dataDir, "incoming");
}

function refuse(error: unknown): never {
  throw new StorageError(error);
}
