import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { read as readDescriptor } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import type { RandomAccessFile } from "./sheet-types.ts";

/**
 * What another thread of this process needs to read a spooled file. It contains the key, so it may be posted to a
 * worker, but never written or logged. `size` is in bytes.
 */
export type SpoolHandle = { fd: number; key: Uint8Array; iv: Uint8Array; size: number };

/** An encrypted file on disk. */
export type SpoolReader = RandomAccessFile & {
  /** Reads a range, by default the whole file, in pieces of at most 64 KiB. */
  stream(offset?: number, length?: number): Readable;
};

export type SpooledFile = SpoolReader & {
  describe(): SpoolHandle;
  /**
   * Closes the file and erases the key, after which the file cannot be read. End the workers that read it first,
   * because the system reuses the descriptor of a closed file.
   */
  dispose(): Promise<void>;
};

export type Spool = {
  /** Appends bytes; await each call before the next. Throws the disk's errors, such as ENOSPC. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends writing, and returns the file for reading. */
  finish(): Promise<SpooledFile>;
  /** Deletes the file unless `finish` was called. It may be called again. */
  discard(): Promise<void>;
};

const algorithm = "aes-256-ctr";
const block = 16;
const piece = 64 * 1024;
const readAt = promisify(readDescriptor);

/**
 * Creates an encrypted file for an upload: spreadsheets are read from their end, and personal data must not be on disk
 * in clear text. AES-256-CTR: the key and the first counter are random and exist in memory only. The folder is created
 * when absent. Only the owner can read the file. Where the system can unlink an open file, it has no name when this
 * function returns, so that a crash leaves no file.
 */
export async function createSpool(directory: string): Promise<Spool> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${randomUUID()}.spool`);
  const file = await open(path, "wx+", 0o600);
  const key = randomBytes(32);
  const iv = randomBytes(block);
  const cipher = createCipheriv(algorithm, key, iv);
  const unlinked = await unlink(path).then(() => true, isInUse);
  let size = 0;
  let state: "writing" | "finished" | "gone" = "writing";

  const dispose = async () => {
    if (state === "gone") return;
    state = "gone";
    key.fill(0);
    await file.close();
    if (!unlinked) await unlink(path);
  };
  return {
    write: async (chunk) => {
      if (state !== "writing") throw new Error("the spool accepts no more bytes");
      await writeAll(file, cipher.update(chunk), size);
      size += chunk.length;
    },
    finish: async () => {
      if (state !== "writing") throw new Error("the spool was finished already");
      state = "finished";
      const description = { fd: file.fd, key, iv, size };
      return { ...openSpool(description), describe: () => description, dispose };
    },
    discard: async () => {
      if (state === "writing") await dispose();
    },
  };
}

/** Opens the file of a handle in any thread of the process. The file stays open until its owner disposes of it. */
export function openSpool({ fd, key, iv, size }: SpoolHandle): SpoolReader {
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    if (!(offset >= 0 && length >= 0 && offset + length <= size)) throw new RangeError("outside the spooled file");
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await readAt(fd, bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new Error("the spooled file is shorter than what was written");
      filled += bytesRead;
    }
    const decipher = createDecipheriv(algorithm, key, counterAt(iv, offset));
    // A range may begin inside a block: this skips the key stream of the bytes before it.
    decipher.update(new Uint8Array(offset % block));
    return decipher.update(bytes);
  };
  const stream = (offset = 0, length = size - offset) =>
    Readable.from(pieces(read, offset, length), { objectMode: false });
  return { size, read, stream };
}

async function* pieces(read: RandomAccessFile["read"], offset: number, length: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < length; done += piece) yield await read(offset + done, Math.min(piece, length - done));
}

/** Returns the counter of the block at `offset`: the first counter plus the number of blocks before, big-endian. */
function counterAt(iv: Uint8Array, offset: number): Uint8Array {
  const counter = Uint8Array.from(iv);
  let carry = Math.floor(offset / block);
  for (let at = block - 1; at >= 0 && carry > 0; at -= 1) {
    const sum = (counter[at] ?? 0) + (carry % 256);
    counter[at] = sum % 256;
    carry = Math.floor(carry / 256) + (sum > 255 ? 1 : 0);
  }
  return counter;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

/** Some systems cannot unlink an open file; `dispose` does it then. */
function isInUse(error: NodeJS.ErrnoException): false {
  if (error.code === "EBUSY" || error.code === "EPERM" || error.code === "EACCES") return false;
  throw error;
}
