import { crc32, deflateRawSync } from "node:zlib";

/** A file of a test archive. Properties besides name and data are false statements about it. */
export type ZipFile = {
  name: string;
  data: Buffer | string;
  stored?: boolean;
  flags?: number;
  method?: number;
  crc?: number;
  /** The sizes that the directory states. */
  unpacked?: number;
  packed?: number;
  /** Where the directory says the local header is. */
  start?: number;
  /** The data as packed, when it was packed elsewhere. */
  packedData?: Buffer;
};

type ZipShape = { comment?: string; entriesStated?: number; zip64?: boolean };

/** Returns an archive, which is valid unless its files or `shape` make false statements. */
export function zip(files: ZipFile[], shape: ZipShape = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const data = Buffer.from(file.data);
    const packed = file.packedData ?? (file.stored ? data : deflateRawSync(data));
    const facts = {
      method: file.method ?? (file.stored ? 0 : 8),
      crc: file.crc ?? crc32(data),
      packed: file.packed ?? packed.length,
      unpacked: file.unpacked ?? data.length,
      flags: file.flags ?? 0,
    };
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    writeFacts(local, 4, facts);
    local.writeUInt16LE(name.length, 26);
    parts.push(local, name, packed);
    directory.push(entry(name, facts, file.start ?? at, shape.zip64 === true));
    at += local.length + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  return Buffer.concat([...parts, list, ...endOf(files.length, at, list.length, shape)]);
}

type Facts = { method: number; crc: number; packed: number; unpacked: number; flags: number };

function writeFacts(header: Buffer, at: number, facts: Facts, sizes = facts): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(facts.flags, at + 2);
  header.writeUInt16LE(facts.method, at + 4);
  header.writeUInt32LE(facts.crc, at + 10);
  header.writeUInt32LE(sizes.packed, at + 14);
  header.writeUInt32LE(sizes.unpacked, at + 18);
}

function entry(name: Buffer, facts: Facts, start: number, zip64: boolean): Buffer {
  const full = 0xffffffff;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  writeFacts(header, 6, facts, zip64 ? { ...facts, packed: full, unpacked: full } : facts);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(zip64 ? full : start, 42);
  if (!zip64) return Buffer.concat([header, name]);
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, value] of [facts.unpacked, facts.packed, start].entries()) {
    extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  }
  header.writeUInt16LE(extra.length, 30);
  return Buffer.concat([header, name, extra]);
}

function endOf(entries: number, start: number, length: number, shape: ZipShape): Buffer[] {
  const stated = shape.entriesStated ?? entries;
  const comment = Buffer.from(shape.comment ?? "");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(shape.zip64 ? 0xffff : stated, at);
  end.writeUInt32LE(shape.zip64 ? 0xffffffff : length, 12);
  end.writeUInt32LE(shape.zip64 ? 0xffffffff : start, 16);
  end.writeUInt16LE(comment.length, 20);
  if (!shape.zip64) return [end, comment];
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) end64.writeBigUInt64LE(BigInt(stated), at);
  end64.writeBigUInt64LE(BigInt(length), 40);
  end64.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + length), 8);
  locator.writeUInt32LE(1, 16);
  return [end64, locator, end, comment];
}
