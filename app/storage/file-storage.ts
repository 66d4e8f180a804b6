import type { Readable } from "node:stream";

/** The first and the last byte, both included. */
export type ByteRange = { start: number; end: number };
export type ListedFile = { key: string; storedAt: Date };

/**
 * Stores uploaded files in a folder or in object storage. Keys are generated: lowercase letters, digits, `-` and `/`;
 * file names of users are only stored in rows. All functions throw a StorageError when the storage fails.
 */
export type FileStorage = {
  /** Stores exactly `bytes` bytes under a new key: completely and durably when this resolves, or not at all. */
  put: (key: string, body: Readable, about: { bytes: number; type: string }) => Promise<void>;
  /**
   * Returns the file or a range of it; undefined when it does not exist. Destroy the stream if it is not read to its
   * end.
   */
  get: (key: string, range?: ByteRange) => Promise<Readable | undefined>;
  /** Deletes files; missing ones are ignored. */
  delete: (keys: readonly string[]) => Promise<void>;
  /** Deletes files in all of their versions, so that nothing is left of them where the storage keeps versions. */
  deleteVersions: (keys: readonly string[]) => Promise<void>;
  /**
   * Lists all files whose key starts with the prefix, a folder with its slash, in any order. Files with other names
   * than keys, which other programs leave in a folder or a bucket, are left out.
   */
  list: (prefix: string) => AsyncIterable<ListedFile>;
  /** Throws a StorageError unless the storage can be used now. */
  check: () => Promise<void>;
  /** Deletes uploads that were started before then and never finished; returns their number. */
  deleteUnfinished: (before: Date) => Promise<number>;
};

/** The storage is full, unavailable, or denies access. */
export class StorageError extends Error {
  override name = "StorageError";
  /** The system's error code, for the log. */
  readonly code: string;
  /** The storage responds, but does not permit this: an object may be locked, for example, while others are not. */
  readonly isRefusal: boolean;

  constructor(cause: unknown) {
    const errorCode = cause instanceof Error ? (codeOf(cause) ?? cause.name) : "unknown";
    super(`The storage of files failed (${errorCode})`, { cause });
    this.code = errorCode;
    this.isRefusal = refusalCodes.includes(errorCode);
  }
}

/** Of Amazon S3, and of a folder. */
const refusalCodes = ["AccessDenied", "InvalidRequest", "EACCES", "EPERM"];

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const keyForm = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;

/** Whether a file's name has the form of a generated key. */
export function isStorageKey(name: string): boolean {
  return keyForm.test(name);
}

/** Throws unless the key is a generated one, so that it cannot lead out of the storage's folder. */
export function requireStorageKey(key: string): string {
  if (!isStorageKey(key)) throw new Error(`invalid storage key: ${key}`);
  return key;
}
