import type { Readable } from "node:stream";

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number };
export type ListedFile = { key: string; storedAt: Date };

/**
 * Where uploaded files are kept: a folder, or object storage. Keys are ours, of lower-case letters, digits, `-` and `/`;
 * what people call a file is text in a row. Everything throws a StorageError when the storage cannot do it.
 */
export type FileStorage = {
  /** Keeps exactly `bytes` bytes under a new key: all of them, safe from a power cut when this resolves, or nothing. */
  put: (key: string, body: Readable, about: { bytes: number; type: string }) => Promise<void>;
  /** The file or a part of it, which must lie in it; undefined when there is none. Destroy the stream when it is not read to its end. */
  get: (key: string, range?: ByteRange) => Promise<Readable | undefined>;
  /** Absent ones are none. */
  delete: (keys: readonly string[]) => Promise<void>;
  /** All whose key begins so, a folder with its slash, in any order. */
  list: (prefix: string) => AsyncIterable<ListedFile>;
  /** Drops what was begun before then and never ended; answers how many. */
  dropUnfinished: (before: Date) => Promise<number>;
};

/** The storage is full, away, or does not let us. */
export class StorageError extends Error {
  override name = "StorageError";
  /** The system's word for it, for the log. */
  readonly code: string;

  constructor(cause: unknown) {
    const found = cause instanceof Error ? (codeOf(cause) ?? cause.name) : "unknown";
    super(`The storage of files failed (${found})`, { cause });
    this.code = found;
  }
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const keyForm = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;

/** Throws unless the key is one of ours: then it can be no way out of the storage's folder. */
export function requireKey(key: string): string {
  if (!keyForm.test(key)) throw new Error("no key of a stored file");
  return key;
}
