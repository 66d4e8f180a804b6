import { damaged, encrypted, SheetError } from "./sheet-error.ts";
import type { RandomAccess, SheetLimits } from "./sheet-reading.ts";

/** One file of an archive, as the archive's directory describes it. Sizes in bytes. */
export type ZipEntry = {
  name: string;
  deflated: boolean;
  packed: number;
  unpacked: number;
  crc: number;
  /** Where its local header begins, and where the next thing in the archive does. */
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
/** A thousand entries with names of any sense stay far below. */
const directoryLimit = 2 * 1024 * 1024;

type DirectoryPlace = { entries: number; start: number; length: number };

/**
 * The files of a zip archive by lower-case name, read from its directory alone and before anything is unpacked.
 * Layout: PKWARE's APPNOTE.TXT 6.3. Stricter than other readers, because each leniency has been a way to hide
 * something: no repeated names, no overlapping files (one packed megabyte used a thousand times), no encryption, no
 * second disk, and the number of entries as promised. Throws SheetError.
 */
export async function readZipDirectory(file: RandomAccess, limits: SheetLimits): Promise<Map<string, ZipEntry>> {
  const place = await findDirectory(file);
  if (place.entries > limits.entries) throw tooManyEntries();
  if (place.length > directoryLimit || place.start + place.length > file.size) throw damaged("its list of parts");
  const bytes = Buffer.from(await file.read(place.start, place.length));
  const entries: ZipEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { entry, next } = readEntry(bytes, at);
    entries.push(entry);
    if (entries.length > limits.entries) throw tooManyEntries();
    at = next;
  }
  if (entries.length !== place.entries) throw damaged("its list of parts");
  refuseOverlaps(entries, place.start);
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  if (byName.size !== entries.length) throw damaged("two parts with one name");
  return byName;
}

function tooManyEntries(): SheetError {
  return new SheetError("too_many_entries", "This spreadsheet is made of far too many parts. Save the sheet as .csv.");
}

/** The end record stands last, before a comment of up to 64 KiB; with 64-bit sizes a second one precedes it. */
async function findDirectory(file: RandomAccess): Promise<DirectoryPlace> {
  const length = Math.min(file.size, endLength + full16 + locatorLength);
  const start = file.size - length;
  const tail = Buffer.from(await file.read(start, length));
  for (let at = length - endLength; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== sign.end || at + endLength + tail.readUInt16LE(at + 20) !== length) continue;
    const found = {
      entries: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      start: tail.readUInt32LE(at + 16),
    };
    const large = found.entries === full16 || found.length === full32 || found.start === full32;
    if (!large) {
      if (tail.readUInt16LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== found.entries) throw damaged("its end");
      return found;
    }
    if (at < locatorLength || tail.readUInt32LE(at - locatorLength) !== sign.locator64) throw damaged("its end");
    return readEnd64(file, safeNumber(tail, at - locatorLength + 8));
  }
  throw damaged("its end is missing, as when an upload or a download was cut short");
}

async function readEnd64(file: RandomAccess, at: number): Promise<DirectoryPlace> {
  if (at + 56 > file.size) throw damaged("its end");
  const bytes = Buffer.from(await file.read(at, 56));
  if (bytes.readUInt32LE(0) !== sign.end64) throw damaged("its end");
  return { entries: safeNumber(bytes, 32), length: safeNumber(bytes, 40), start: safeNumber(bytes, 48) };
}

function readEntry(bytes: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (at + headerLength > bytes.length || bytes.readUInt32LE(at) !== sign.entry) throw damaged("its list of parts");
  const nameEnd = at + headerLength + bytes.readUInt16LE(at + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
  const next = extraEnd + bytes.readUInt16LE(at + 32);
  if (next > bytes.length) throw damaged("its list of parts");
  const method = bytes.readUInt16LE(at + 10);
  if ((bytes.readUInt16LE(at + 8) & 1) === 1) throw encrypted();
  if (method !== 0 && method !== 8) throw damaged("a way of packing that spreadsheets do not use");
  const sizes = {
    unpacked: bytes.readUInt32LE(at + 24),
    packed: bytes.readUInt32LE(at + 20),
    start: bytes.readUInt32LE(at + 42),
  };
  readSizes64(bytes.subarray(nameEnd, extraEnd), sizes);
  const name = bytes
    .toString("utf8", at + headerLength, nameEnd)
    .replaceAll("\\", "/")
    .replace(/^\/+/, "");
  return { entry: { name, deflated: method === 8, crc: bytes.readUInt32LE(at + 16), ...sizes, limit: 0 }, next };
}

/** Field 1 of the extra data holds, in this order, those of the sizes that did not fit into 32 bits. */
function readSizes64(extra: Buffer, sizes: { unpacked: number; packed: number; start: number }): void {
  const wanted = (["unpacked", "packed", "start"] as const).filter((key) => sizes[key] === full32);
  if (wanted.length === 0) return;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    if (field.length < wanted.length * 8) break;
    for (const [index, key] of wanted.entries()) sizes[key] = safeNumber(field, index * 8);
    return;
  }
  throw damaged("its list of parts");
}

function safeNumber(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw damaged("its list of parts");
  return value;
}

/** Also tells each entry where the next thing begins, which its data must not cross. */
function refuseOverlaps(entries: ZipEntry[], directoryStart: number): void {
  const byPlace = entries.toSorted((a, b) => a.start - b.start);
  for (const [index, entry] of byPlace.entries()) {
    entry.limit = byPlace[index + 1]?.start ?? directoryStart;
    if (entry.start + localHeaderLength + entry.packed > entry.limit) throw damaged("parts that overlap");
  }
}
