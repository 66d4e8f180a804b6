import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { detectFormat } from "./detect-format.ts";
import type { Spool } from "./encrypted-spool.server.ts";
import { damagedSheet, SheetError, tooLargeUnpacked } from "./sheet-error.ts";
import { defaultSheetLimits } from "./sheet-types.ts";
import { inflateEntry, requireEntrySize } from "./zip/inflate-entry.server.ts";
import { readZipDirectory, type ZipEntry } from "./zip/zip-directory.server.ts";

/** The bytes of a file by which its format is detected. */
const headBytes = 8 * 1024;

/** A file as it arrives, or the only file in an archive that arrives. */
export type OpenedFile = {
  /** The first 8 KiB, or all of a shorter file. */
  head: Buffer;
  /** All bytes, including the head. */
  pieces: AsyncIterable<Buffer>;
  /** The name of the file in its archive. */
  innerName: string | undefined;
  isUnpacked: boolean;
  /** Call at the end, also after an error. */
  close: () => Promise<void>;
};

/** `maxBytes` limits what an archive unpacks to. */
type UnpackOptions = { maxBytes: number; createSpool: () => Promise<Spool> };

/**
 * Opens a file that arrives, and unpacks it when it is compressed with gzip or a ZIP archive of exactly one file, once:
 * an archive in an archive stays packed. Other files are passed on as they arrive. Memory is bounded: gzip is unpacked
 * in pieces, and an archive is spooled, since its list of files is at its end. Throws SheetError, also while the pieces
 * are read.
 */
export async function openReceived(
  source: AsyncIterable<Buffer>,
  { maxBytes, createSpool }: UnpackOptions,
): Promise<OpenedFile> {
  const outer = await peek(source);
  const format = detectFormat(outer.head);
  const packed = format.kind === "rejected" ? format.what : undefined;
  if (packed === "gzip") {
    const unpacked = await peek(limited(gunzip(outer.pieces), maxBytes));
    return { ...unpacked, innerName: undefined, isUnpacked: true };
  }
  if (packed === "zip" && outer.head.toString("latin1", 0, 4) === "PK\x03\x04") {
    return openArchive(outer.pieces, { maxBytes, createSpool });
  }
  return { ...outer, innerName: undefined, isUnpacked: false };
}

async function openArchive(
  pieces: AsyncIterable<Buffer>,
  { maxBytes, createSpool }: UnpackOptions,
): Promise<OpenedFile> {
  const spool = await createSpool();
  try {
    for await (const piece of pieces) await spool.write(piece);
    const file = await spool.finish();
    try {
      const entry = onlyFile(await readZipDirectory(file, defaultSheetLimits));
      requireEntrySize(entry, maxBytes, defaultSheetLimits);
      const inner = await peek(inflateEntry(file, entry));
      const close = async () => {
        await inner.close();
        await file.dispose();
      };
      return { ...inner, innerName: entry.name.split("/").at(-1), isUnpacked: true, close };
    } catch (error) {
      await file.dispose();
      throw error;
    }
  } finally {
    await spool.discard();
  }
}

/** Returns the only file of an archive, apart from folders and what operating systems add. */
function onlyFile(entries: ReadonlyMap<string, ZipEntry>): ZipEntry {
  const files = [...entries.values()].filter(
    ({ name }) => !name.endsWith("/") && !/(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name),
  );
  const [only] = files;
  if (only && files.length === 1) return only;
  throw new SheetError(
    "not_a_spreadsheet",
    files.length === 0
      ? "This ZIP archive is empty. Choose another file."
      : `This ZIP archive has ${files.length.toLocaleString("en-US")} files. Unzip it and upload the files inside.`,
  );
}

/** Reads the head of a file without consuming it. */
async function peek(source: AsyncIterable<Buffer>): Promise<Pick<OpenedFile, "head" | "pieces" | "close">> {
  const rest = source[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  while (size < headBytes) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    size += value.length;
  }
  async function* pieces(): AsyncGenerator<Buffer> {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return {
    head: Buffer.concat(first).subarray(0, headBytes),
    pieces: pieces(),
    close: async () => void (await rest.return?.()),
  };
}

async function* gunzip(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createGunzip();
  // The pipeline destroys both streams after a failed read, damaged compression, or an early end of reading.
  pipeline(Readable.from(pieces, { objectMode: false }), stream, () => undefined);
  try {
    for await (const piece of stream) yield piece;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw damagedSheet("compression");
    throw error;
  }
}

async function* limited(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw tooLargeUnpacked();
    yield piece;
  }
}
