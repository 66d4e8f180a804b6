import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { read as readDescriptor } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import type { RandomAccess } from "./sheet-reading.ts";

/**
 * All that another thread of this process needs to read a spooled file. It holds the key: it may be posted to a worker,
 * never written or logged.
 */
export type SpoolDescription = { fd: number; key: Uint8Array; iv: Uint8Array; size: number };

/** A file on disk that only its key makes readable. */
export type OpenSpool = RandomAccess & {
  /** The bytes of a range in pieces of 64 KiB at most; the whole file when nothing is said. */
  stream(offset?: number, length?: number): Readable;
};

export type SpooledFile = OpenSpool & {
  describe(): SpoolDescription;
  /**
   * Closes the file, after which nothing can read it, and forgets the key. End the workers that read it first: the
   * number of a closed file may be given to another one.
   */
  dispose(): Promise<void>;
};

export type Spool = {
  /** Calls one after another, each awaited. Errors are the disk's (ENOSPC and its like). */
  write(chunk: Uint8Array): Promise<void>;
  /** Nothing can be written after it. */
  finish(): Promise<SpooledFile>;
  /** Gives up: the file is gone. Harmless after `finish` and when called again. */
  discard(): Promise<void>;
};

const algorithm = "aes-256-ctr";
const block = 16;
const piece = 64 * 1024;
const readAt = promisify(readDescriptor);

/**
 * A new file for bytes that no disk may hold in clear, because spreadsheets must be read from their end. AES-256-CTR:
 * the key and the first counter are random and exist in memory only. The folder is made when absent; the file is
 * for its owner only and, where the system lets an open file be unlinked, has no name any more when this returns,
 * so a crash leaves nothing behind.
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
      if (state !== "writing") throw new Error("the spool takes no more bytes");
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

/** Reads, in any thread of the process, the file of which `describe` told; it stays open until its owner disposes of it. */
export function openSpool({ fd, key, iv, size }: SpoolDescription): OpenSpool {
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    if (!(offset >= 0 && length >= 0 && offset + length <= size)) throw new RangeError("outside the spooled file");
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await readAt(fd, bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new Error("the spooled file is shorter than what was written");
      filled += bytesRead;
    }
    const decipher = createDecipheriv(algorithm, key, counterAt(iv, offset));
    // A range begins inside a block: the key stream's first bytes belong to what stands before it.
    decipher.update(new Uint8Array(offset % block));
    return decipher.update(bytes);
  };
  const stream = (offset = 0, length = size - offset) =>
    Readable.from(pieces(read, offset, length), { objectMode: false });
  return { size, read, stream };
}

async function* pieces(read: RandomAccess["read"], offset: number, length: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < length; done += piece) yield await read(offset + done, Math.min(piece, length - done));
}

/** The counter of the block that holds `offset`: the first one plus the blocks before, as one big-endian number. */
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

/** Some systems keep the name of an open file: then `dispose` takes it away. */
function isInUse(error: NodeJS.ErrnoException): false {
  if (error.code === "EBUSY" || error.code === "EPERM" || error.code === "EACCES") return false;
  throw error;
}
