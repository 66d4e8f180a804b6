import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access, mkdir, open, opendir, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { errorCode } from "#app/startup-error.ts";
import {
  type ByteRange,
  type FileStorage,
  isStorageKey,
  type ListedFile,
  requireStorageKey,
  StorageError,
} from "./file-storage.ts";

/** Unfinished files; a file is moved to its key when it is complete. */
const drafts = ".unfinished";

/** Stores files in a folder that only its owner can access. */
export function openFolderStorage(root: string): FileStorage {
  const pathOf = (key: string) => join(root, requireStorageKey(key));
  const unlinkAll = (keys: readonly string[]) =>
    orStorageError(async () => {
      for (const key of keys) await unlinkIfThere(pathOf(key));
    });
  return {
    put: (key, body, { bytes }) =>
      orStorageError(async () => {
        const draft = join(root, drafts, randomUUID());
        try {
          await makeFolder(dirname(draft));
          await writeDurably(draft, body, bytes);
          await makeFolder(dirname(pathOf(key)));
          await rename(draft, pathOf(key));
          await syncFolder(dirname(pathOf(key)));
        } catch (error) {
          body.destroy();
          await rm(draft, { force: true });
          throw error;
        }
      }),
    get: (key, range) => orStorageError(() => openFile(pathOf(key), range)),
    delete: unlinkAll,
    deleteVersions: unlinkAll,
    list: (prefix) => listKeys(root, requireStorageKey(prefix.replace(/\/$/, ""))),
    check: () =>
      orStorageError(async () => {
        await makeFolder(join(root, drafts));
        await access(join(root, drafts), constants.W_OK);
      }),
    deleteUnfinished: (before) =>
      orStorageError(async () => {
        let dropped = 0;
        for await (const { key, storedAt } of listFolder(root, drafts)) {
          if (storedAt < before && (await unlinkIfThere(join(root, key)))) dropped += 1;
        }
        return dropped;
      }),
  };
}

async function orStorageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StorageError ? error : new StorageError(error);
  }
}

async function writeDurably(path: string, body: Readable, bytes: number): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    let written = 0;
    for await (const chunk of body) {
      await file.writeFile(chunk);
      written += chunk.length;
    }
    if (written !== bytes) throw new Error(`received ${written} bytes instead of ${bytes}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a folder and its parents durably, each synced in its parent. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  for (let created = path; first !== undefined && created.length >= first.length; created = dirname(created)) {
    await syncFolder(dirname(created));
  }
}

/** Makes a new name durable by syncing its folder. Windows has no such operation and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function openFile(path: string, range: ByteRange | undefined): Promise<Readable | undefined> {
  const file = await open(path, "r").catch(undefinedIfAbsent);
  return file && createReadStream(path, { ...range, fd: file, autoClose: true });
}

async function unlinkIfThere(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    (error: unknown) => undefinedIfAbsent(error) ?? false,
  );
}

async function* listKeys(root: string, folder: string): AsyncGenerator<ListedFile> {
  for await (const file of listFolder(root, folder)) if (isStorageKey(file.key)) yield file;
}

async function* listFolder(root: string, key: string): AsyncGenerator<ListedFile> {
  const folder = await opendir(join(root, key)).catch(undefinedIfAbsent);
  if (!folder) return;
  for await (const entry of folder) {
    const inner = `${key}/${entry.name}`;
    if (entry.isDirectory()) yield* listFolder(root, inner);
    else {
      const stats = await stat(join(root, inner)).catch(undefinedIfAbsent);
      if (stats) yield { key: inner, storedAt: stats.mtime };
    }
  }
}

function undefinedIfAbsent(error: unknown): undefined {
  if (errorCode(error) === "ENOENT") return undefined;
  throw error;
}
