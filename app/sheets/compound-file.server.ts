import type { RandomAccess } from "./sheet-reading.ts";

const headerLength = 512;
const endOfChain = 0xfffffffa;
/** The directory of a workbook has ten or twenty entries, four to a sector. */
const mostSectors = 64;
const listedInHeader = 109;

/** By its first bytes: the container of .xls and of encrypted workbooks (MS-CFB 2.2). */
export async function isCompoundFile(file: RandomAccess): Promise<boolean> {
  const start = Buffer.from(await file.read(0, Math.min(8, file.size)));
  return start.equals(Buffer.from("d0cf11e0a1b11ae1", "hex"));
}

/**
 * Whether a compound file holds an encrypted .xlsx: then its directory names a stream
 * `EncryptedPackage` (MS-OFFCRYPTO 2.3.1). A directory that cannot be followed counts as none.
 */
export async function isEncryptedPackage(file: RandomAccess): Promise<boolean> {
  if (file.size < headerLength) return false;
  const header = Buffer.from(await file.read(0, headerLength));
  const sectorSize = header.readUInt16LE(30) === 12 ? 4096 : 512;
  const wanted = Buffer.from("EncryptedPackage\0", "utf16le");
  let sector = header.readUInt32LE(48);
  for (let read = 0; read < mostSectors && sector < endOfChain; read += 1) {
    const bytes = await readSector(file, sector, sectorSize);
    if (bytes === undefined) return false;
    for (let at = 0; at < bytes.length; at += 128) {
      if (bytes.subarray(at, at + wanted.length).equals(wanted)) return true;
    }
    sector = await nextSector(file, header, sector, sectorSize);
  }
  return false;
}

/** The table of sectors says which one follows; the header says where the table's own first sectors are. */
async function nextSector(file: RandomAccess, header: Buffer, sector: number, sectorSize: number): Promise<number> {
  const perSector = sectorSize / 4;
  const tableSector = Math.floor(sector / perSector);
  if (tableSector >= listedInHeader) return endOfChain;
  const table = await readSector(file, header.readUInt32LE(76 + tableSector * 4), sectorSize);
  return table?.readUInt32LE((sector % perSector) * 4) ?? endOfChain;
}

async function readSector(file: RandomAccess, sector: number, size: number): Promise<Buffer | undefined> {
  const start = (sector + 1) * size;
  if (start + size > file.size) return undefined;
  return Buffer.from(await file.read(start, size));
}
