import { pipeline, Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import { damagedSheet, tooLargeUnpacked } from "#app/sheets/sheet-error.ts";
import type { RandomAccessFile, SheetLimits } from "#app/sheets/sheet-types.ts";
import type { ZipEntry } from "./zip-directory.server.ts";

const localSign = 0x04034b50;
const packedPiece = 128 * 1024;
/** Larger pieces need fewer turns of the event loop. The next piece is inflated while this one is read. */
const unpackedPiece = 512 * 1024;
/** One piece is inflated ahead. The option is not typed, but zlib passes it to the stream. */
const readAheadOptions = { readableHighWaterMark: 2 * unpackedPiece };
/** Parts up to this size, in bytes, may have any compression ratio. */
const ratioFloor = 16 * 1024 * 1024;

/**
 * Throws SheetError when a part is larger than `maxBytes` by the directory, or its ratio too high, before it is
 * inflated.
 */
export function requireEntrySize(entry: ZipEntry, maxBytes: number, limits: SheetLimits): void {
  const bomb = entry.uncompressedSize > ratioFloor && entry.uncompressedSize > entry.compressedSize * limits.ratio;
  if (entry.uncompressedSize > maxBytes || bomb) throw tooLargeUnpacked();
}

/**
 * Inflates one part in pieces and in bounded memory. Throws SheetError when its size or its checksum differs from the
 * directory, at the first byte beyond the declared size.
 */
export async function* inflateEntry(file: RandomAccessFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = packedPieces(file, await findData(file, entry), entry.compressedSize);
  let size = 0;
  for await (const piece of entry.deflated ? inflated(packed, entry) : checked(packed, entry)) {
    size += piece.length;
    if (size > entry.uncompressedSize) throw damagedSheet("wrong part size");
    yield piece;
  }
  if (size !== entry.uncompressedSize) throw damagedSheet("wrong part size");
}

/** Returns the offset of the data. The local header repeats the name and has extra data of its own length. */
async function findData(file: RandomAccessFile, entry: ZipEntry): Promise<number> {
  const header = Buffer.from(await file.read(entry.start, 30));
  if (header.readUInt32LE(0) !== localSign) throw damagedSheet("its list of parts");
  const start = entry.start + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.compressedSize > entry.limit) throw damagedSheet("parts that overlap");
  return start;
}

async function* packedPieces(file: RandomAccessFile, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < length; done += packedPiece) {
    yield await file.read(start + done, Math.min(packedPiece, length - done));
  }
}

async function* checked(pieces: AsyncIterable<Uint8Array>, entry: ZipEntry): AsyncGenerator<Buffer> {
  let crc = 0;
  for await (const piece of pieces) {
    crc = crc32(piece, crc);
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  }
  if (crc !== entry.crc) throw damagedSheet("checksum mismatch");
}

/** Inflates the data as a gzip file, so that zlib verifies the checksum too, in the thread that inflates. */
async function* inflated(pieces: AsyncIterable<Uint8Array>, entry: ZipEntry): AsyncGenerator<Buffer> {
  const inflate = createGunzip({ chunkSize: unpackedPiece, ...readAheadOptions });
  // The pipeline destroys both streams after a failed read, damaged compression, or an early end of reading.
  pipeline(Readable.from(asGzip(pieces, entry), { objectMode: false }), inflate, () => undefined);
  try {
    for await (const piece of inflate) yield piece;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw damagedSheet("compression");
    throw error;
  }
}

/** Wraps deflated data as gzip (RFC 1952): a minimal header, and checksum and size at the end. */
async function* asGzip(pieces: AsyncIterable<Uint8Array>, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  yield* pieces;
  const end = Buffer.alloc(8);
  end.writeUInt32LE(entry.crc, 0);
  end.writeUInt32LE(entry.uncompressedSize % 2 ** 32, 4);
  yield end;
}
