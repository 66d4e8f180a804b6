import { damagedSheet, encryptedSheet, SheetError } from "#app/sheets/sheet-error.ts";
import type { RandomAccessFile, SheetLimits } from "#app/sheets/sheet-types.ts";

/** One file of an archive, as the archive's directory describes it. Sizes and offsets are in bytes. */
export type ZipEntry = {
  name: string;
  deflated: boolean;
  compressedSize: number;
  uncompressedSize: number;
  crc: number;
  /** The offsets of its local header, and of what follows it in the archive. */
  start: number;
  limit: number;
};

const sign = { entry: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 } as const;
const endLength = 22;
const locatorLength = 20;
const headerLength = 46;
const localHeaderLength = 30;
const full16 = 0xffff;
const full32 = 0xffffffff;
/** A thousand entries with reasonable names need far less. */
const maxDirectoryBytes = 2 * 1024 * 1024;

type DirectoryLocation = { entries: number; start: number; length: number };

/**
 * Returns the files of a zip archive by lower-case name, read from its directory alone, before anything is inflated
 * (PKWARE's APPNOTE.TXT 6.3). It is stricter than other readers, because each leniency has been a way to hide data: no
 * repeated names, no overlapping files (one compressed megabyte used a thousand times), no encryption, no second disk,
 * and the declared number of entries. Throws SheetError.
 */
export async function readZipDirectory(file: RandomAccessFile, limits: SheetLimits): Promise<Map<string, ZipEntry>> {
  const location = await locateDirectory(file);
  if (location.entries > limits.entries) throw tooManyEntries();
  if (location.length > maxDirectoryBytes || location.start + location.length > file.size)
    throw damagedSheet("file directory");
  const bytes = Buffer.from(await file.read(location.start, location.length));
  const entries: ZipEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { entry, next } = readEntry(bytes, at);
    entries.push(entry);
    if (entries.length > limits.entries) throw tooManyEntries();
    at = next;
  }
  if (entries.length !== location.entries) throw damagedSheet("file directory");
  rejectOverlaps(entries, location.start);
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  if (byName.size !== entries.length) throw damagedSheet("duplicate part");
  return byName;
}

function tooManyEntries(): SheetError {
  return new SheetError("too_many_entries", "This spreadsheet has too many parts. Save it as .csv and upload that.");
}

/** Finds the end record: the last one, before a comment of up to 64 KiB. With 64-bit sizes a second one precedes it. */
async function locateDirectory(file: RandomAccessFile): Promise<DirectoryLocation> {
  const length = Math.min(file.size, endLength + full16 + locatorLength);
  const start = file.size - length;
  const tail = Buffer.from(await file.read(start, length));
  for (let at = length - endLength; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== sign.end || at + endLength + tail.readUInt16LE(at + 20) !== length) continue;
    const record = {
      entries: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      start: tail.readUInt32LE(at + 16),
    };
    const large = record.entries === full16 || record.length === full32 || record.start === full32;
    if (!large) {
      if (tail.readUInt16LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== record.entries)
        throw damagedSheet("end of file");
      return record;
    }
    if (at < locatorLength || tail.readUInt32LE(at - locatorLength) !== sign.locator64)
      throw damagedSheet("end of file");
    return readEnd64(file, readSafeUint64(tail, at - locatorLength + 8));
  }
  throw damagedSheet("the file is incomplete");
}

async function readEnd64(file: RandomAccessFile, at: number): Promise<DirectoryLocation> {
  if (at + 56 > file.size) throw damagedSheet("end of file");
  const bytes = Buffer.from(await file.read(at, 56));
  if (bytes.readUInt32LE(0) !== sign.end64) throw damagedSheet("end of file");
  return { entries: readSafeUint64(bytes, 32), length: readSafeUint64(bytes, 40), start: readSafeUint64(bytes, 48) };
}

function readEntry(bytes: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (at + headerLength > bytes.length || bytes.readUInt32LE(at) !== sign.entry) throw damagedSheet("file directory");
  const nameEnd = at + headerLength + bytes.readUInt16LE(at + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
  const next = extraEnd + bytes.readUInt16LE(at + 32);
  if (next > bytes.length) throw damagedSheet("file directory");
  const method = bytes.readUInt16LE(at + 10);
  if ((bytes.readUInt16LE(at + 8) & 1) === 1) throw encryptedSheet();
  if (method !== 0 && method !== 8) throw damagedSheet("unsupported compression");
  const sizes = {
    uncompressedSize: bytes.readUInt32LE(at + 24),
    compressedSize: bytes.readUInt32LE(at + 20),
    start: bytes.readUInt32LE(at + 42),
  };
  readSizes64(bytes.subarray(nameEnd, extraEnd), sizes);
  const name = bytes
    .toString("utf8", at + headerLength, nameEnd)
    .replaceAll("\\", "/")
    .replace(/^\/+/, "");
  return { entry: { name, deflated: method === 8, crc: bytes.readUInt32LE(at + 16), ...sizes, limit: 0 }, next };
}

/** Reads field 1 of the extra data: the sizes that do not fit into 32 bits, in this order. */
function readSizes64(extra: Buffer, sizes: { uncompressedSize: number; compressedSize: number; start: number }): void {
  const keys = (["uncompressedSize", "compressedSize", "start"] as const).filter((key) => sizes[key] === full32);
  if (keys.length === 0) return;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    if (field.length < keys.length * 8) break;
    for (const [index, key] of keys.entries()) sizes[key] = readSafeUint64(field, index * 8);
    return;
  }
  throw damagedSheet("file directory");
}

function readSafeUint64(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw damagedSheet("file directory");
  return value;
}

/** Sets the limit of each entry, which its data must not cross. Throws SheetError when entries overlap. */
function rejectOverlaps(entries: ZipEntry[], directoryStart: number): void {
  const byOffset = entries.toSorted((a, b) => a.start - b.start);
  for (const [index, entry] of byOffset.entries()) {
    entry.limit = byOffset[index + 1]?.start ?? directoryStart;
    if (entry.start + localHeaderLength + entry.compressedSize > entry.limit) throw damagedSheet("overlapping parts");
  }
}
