import { join } from "node:path";
import { env } from "#app/env.server.ts";
import { sharedState } from "#app/shared-state.ts";
import type { FileStorage } from "./file-storage.ts";
import { openFolderStorage } from "./folder-storage.server.ts";

type AudienceStore = "rows" | "objects";

const state = sharedState("storage", (): { files?: Promise<FileStorage>; audienceStore?: AudienceStore } => ({}));

/**
 * Returns the process's storage of uploaded files: object storage when configured, otherwise a folder of `DATA_DIR`.
 */
export function fileStorage(): Promise<FileStorage> {
  const own = state();
  own.files ??= openStorage();
  return own.files;
}

/** Replaces the storage in tests; undefined restores the configured one. */
export function replaceFileStorage(storage: FileStorage | undefined): void {
  state().files = storage && Promise.resolve(storage);
}

/** Where new blocks of audiences are stored. Generations that exist stay where they are. */
export function audienceStore(): AudienceStore {
  return state().audienceStore ?? env().audienceStore;
}

/** Replaces the setting in tests; undefined restores it. */
export function replaceAudienceStore(store: AudienceStore | undefined): void {
  state().audienceStore = store;
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
