import type { RandomAccessFile } from "./sheet-types.ts";

const headerLength = 512;
const endOfChain = 0xfffffffa;
/** The directory of a workbook has ten or twenty entries, four to a sector. */
const maxSectors = 64;
const tableSectorsInHeader = 109;

/** Returns whether the file starts as the container of .xls and of encrypted workbooks (MS-CFB 2.2). */
export async function isCompoundFile(file: RandomAccessFile): Promise<boolean> {
  const start = Buffer.from(await file.read(0, Math.min(8, file.size)));
  return start.equals(Buffer.from("d0cf11e0a1b11ae1", "hex"));
}

/**
 * Returns whether a compound file contains an encrypted .xlsx: its directory then names a stream `EncryptedPackage`
 * (MS-OFFCRYPTO 2.3.1). Returns false for a directory that cannot be read.
 */
export async function isEncryptedPackage(file: RandomAccessFile): Promise<boolean> {
  if (file.size < headerLength) return false;
  const header = Buffer.from(await file.read(0, headerLength));
  const sectorSize = header.readUInt16LE(30) === 12 ? 4096 : 512;
  const streamName = Buffer.from("EncryptedPackage\0", "utf16le");
  let sector = header.readUInt32LE(48);
  for (let read = 0; read < maxSectors && sector < endOfChain; read += 1) {
    const bytes = await readSector(file, sector, sectorSize);
    if (bytes === undefined) return false;
    for (let at = 0; at < bytes.length; at += 128) {
      if (bytes.subarray(at, at + streamName.length).equals(streamName)) return true;
    }
    sector = await nextSector(file, header, sector, sectorSize);
  }
  return false;
}

/** Returns the sector after this one. The header lists the first sectors of the allocation table, which chains them. */
async function nextSector(file: RandomAccessFile, header: Buffer, sector: number, sectorSize: number): Promise<number> {
  const perSector = sectorSize / 4;
  const tableSector = Math.floor(sector / perSector);
  if (tableSector >= tableSectorsInHeader) return endOfChain;
  const table = await readSector(file, header.readUInt32LE(76 + tableSector * 4), sectorSize);
  return table?.readUInt32LE((sector % perSector) * 4) ?? endOfChain;
}

async function readSector(file: RandomAccessFile, sector: number, size: number): Promise<Buffer | undefined> {
  const start = (sector + 1) * size;
  if (start + size > file.size) return undefined;
  return Buffer.from(await file.read(start, size));
}
