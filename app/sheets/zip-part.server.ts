import { pipeline, Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import { damaged, tooLargeUnpacked } from "./sheet-error.ts";
import type { RandomAccess, SheetLimits } from "./sheet-reading.ts";
import type { ZipEntry } from "./zip-directory.server.ts";

const localSign = 0x04034b50;
const packedPiece = 128 * 1024;
/** Larger pieces mean fewer turns of the event loop; the next one is unpacked while this one is read. */
const unpackedPiece = 512 * 1024;
/** Not among the typed options, but handed on to the stream: one piece is unpacked ahead. */
const ahead = { readableHighWaterMark: 2 * unpackedPiece };
/** Small parts pack as well as they like. */
const ratioFloor = 16 * 1024 * 1024;

/** Refuses by what the directory promises, before a byte is unpacked. `maxBytes` is for this part. */
export function refuseTooLarge(entry: ZipEntry, maxBytes: number, limits: SheetLimits): void {
  const bomb = entry.unpacked > ratioFloor && entry.unpacked > entry.packed * limits.ratio;
  if (entry.unpacked > maxBytes || bomb) throw tooLargeUnpacked();
}

/**
 * The unpacked bytes of one part, in pieces, in bounded memory. What the directory promised is counted again: a part
 * that grows past its promised size ends there, and one that ends early or has another checksum is damaged.
 */
export async function* unpackPart(file: RandomAccess, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = packedPieces(file, await findData(file, entry), entry.packed);
  let size = 0;
  for await (const piece of entry.deflated ? inflated(packed, entry) : checked(packed, entry)) {
    size += piece.length;
    if (size > entry.unpacked) throw damaged("a part is larger than it says");
    yield piece;
  }
  if (size !== entry.unpacked) throw damaged("a part is smaller than it says");
}

/** The local header repeats the name and adds extra data of its own length. */
async function findData(file: RandomAccess, entry: ZipEntry): Promise<number> {
  const header = Buffer.from(await file.read(entry.start, 30));
  if (header.readUInt32LE(0) !== localSign) throw damaged("its list of parts");
  const start = entry.start + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.packed > entry.limit) throw damaged("parts that overlap");
  return start;
}

async function* packedPieces(file: RandomAccess, start: number, length: number): AsyncGenerator<Uint8Array> {
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
  if (crc !== entry.crc) throw damaged("a part is not what was packed");
}

/** Dressed as a gzip file, so that zlib compares the checksum too, in the thread in which it unpacks. */
async function* inflated(pieces: AsyncIterable<Uint8Array>, entry: ZipEntry): AsyncGenerator<Buffer> {
  const inflate = createGunzip({ chunkSize: unpackedPiece, ...ahead });
  // Either end takes the other with it: a failed read, broken packing, or a reader that has had enough.
  pipeline(Readable.from(asGzip(pieces, entry), { objectMode: false }), inflate, () => undefined);
  try {
    for await (const piece of inflate) yield piece;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) throw damaged("its packing");
    throw error;
  }
}

/** RFC 1952: a header that says deflate and nothing else, and at the end checksum and size. */
async function* asGzip(pieces: AsyncIterable<Uint8Array>, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  yield* pieces;
  const end = Buffer.alloc(8);
  end.writeUInt32LE(entry.crc, 0);
  end.writeUInt32LE(entry.unpacked % 2 ** 32, 4);
  yield end;
}
