import { join } from "node:path";
import { env } from "#app/env.server.ts";
import type { FileStorage } from "./file-storage.ts";
import { openFolderStorage } from "./folder-storage.server.ts";

/** On globalThis, because the server and the bundle that Remix builds each have their own copy of this module. */
const holderKey = Symbol.for("endcap.storage");

/** The process's storage of uploaded files: object storage when the environment names some, else a folder of `DATA_DIR`. */
export function fileStorage(): Promise<FileStorage> {
  const held: Promise<FileStorage> | undefined = Reflect.get(globalThis, holderKey);
  if (held) return held;
  const opened = openStorage();
  Reflect.set(globalThis, holderKey, opened);
  return opened;
}

/** Another one in its place, for tests; undefined: the environment's again. */
export function replaceFileStorage(storage: FileStorage | undefined): void {
  Reflect.set(globalThis, holderKey, storage && Promise.resolve(storage));
}

/** Amazon's client is loaded only where it is wanted: it takes half a second. */
async function openStorage(): Promise<FileStorage> {
  const { s3, dataDir } = env();
  if (!s3) return openFolderStorage(join(dataDir, "files"));
  const { openS3Storage } = await import("./s3-storage.server.ts");
  return openS3Storage(s3);
}

/** What the files of one account may take, in bytes. */
export function storageQuota(): number {
  return env().creativeQuota;
}
