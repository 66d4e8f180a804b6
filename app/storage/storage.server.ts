import { join } from "node:path";
import { env } from "#app/env.server.ts";
import type { FileStorage } from "./file-storage.ts";
import { openFolderStorage } from "./folder-storage.server.ts";

/** On globalThis, because the server and the bundle that Remix builds each have a copy of this module. */
const holderKey = Symbol.for("endcap.storage");
const audienceStoreKey = Symbol.for("endcap.audienceStore");

/**
 * Returns the process's storage of uploaded files: object storage when configured, otherwise a folder of `DATA_DIR`.
 */
export function fileStorage(): Promise<FileStorage> {
  const existing: Promise<FileStorage> | undefined = Reflect.get(globalThis, holderKey);
  if (existing) return existing;
  const opened = openStorage();
  Reflect.set(globalThis, holderKey, opened);
  return opened;
}

/** Replaces the storage in tests; undefined restores the configured one. */
export function replaceFileStorage(storage: FileStorage | undefined): void {
  Reflect.set(globalThis, holderKey, storage && Promise.resolve(storage));
}

/** Where new blocks of audiences are stored. Generations that exist stay where they are. */
export function audienceStore(): "rows" | "objects" {
  const replaced: "rows" | "objects" | undefined = Reflect.get(globalThis, audienceStoreKey);
  return replaced ?? env().audienceStore;
}

/** Replaces the setting in tests; undefined restores it. */
export function replaceAudienceStore(store: "rows" | "objects" | undefined): void {
  Reflect.set(globalThis, audienceStoreKey, store);
}

/** Amazon's client is imported on demand, because it takes half a second to load. */
async function openStorage(): Promise<FileStorage> {
  const { s3, dataDir } = env();
  if (!s3) return openFolderStorage(join(dataDir, "files"));
  const { openS3Storage } = await import("./s3-storage.server.ts");
  return openS3Storage(s3);
}

/** The storage quota of an account's creatives, in bytes. */
export function creativeQuotaBytes(): number {
  return env().creativeQuota;
}
