import { crc32 } from "node:zlib";

/** A file of an archive: `data` is stored as is; `crc` and `size` are those of the uncompressed content, in bytes. */
export type ZipFile = { name: string; data: Buffer; crc: number; size: number; deflated: boolean };

/** Returns a file that is stored without compression. */
export function storedZipFile(name: string, text: string): ZipFile {
  const data = Buffer.from(text);
  return { name, data, crc: crc32(data), size: data.length, deflated: false };
}

/** January 1, 1980: the date of all files, so that equal content yields equal bytes. */
const day = 0x21;

/** A file whose data is written separately; `packed` is its compressed size in bytes. */
export type StreamedZipFile = Omit<ZipFile, "data"> & { packed: number };

/**
 * Returns the bytes before and after the data of an archive's last file (PKWARE's APPNOTE.TXT 6.3, without ZIP64: less
 * than 4 GB). Names are ASCII.
 */
export function zipFraming(files: readonly ZipFile[], last: StreamedZipFile): { before: Buffer; after: Buffer } {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  const whole = files.map(({ data, ...file }) => ({ ...file, data, packed: data.length }));
  for (const file of [...whole, { ...last, data: nothing }]) {
    const name = Buffer.from(file.name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(file.deflated ? 8 : 0, 4);
    shared.writeUInt16LE(day, 8);
    shared.writeUInt32LE(file.crc, 10);
    shared.writeUInt32LE(file.packed, 14);
    shared.writeUInt32LE(file.size, 18);
    shared.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(at, 10);
    parts.push(signed(0x04034b50), shared, name, file.data);
    directory.push(signed(0x02014b50), Buffer.from([20, 0]), shared, central, name);
    at += 30 + name.length + file.packed;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length + 1, 4);
  end.writeUInt16LE(files.length + 1, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return { before: Buffer.concat(parts), after: Buffer.concat([list, signed(0x06054b50), end]) };
}

const nothing = Buffer.alloc(0);

function signed(sign: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(sign);
  return bytes;
}
