import { type UploadFile, uploadLimits } from "../audience.ts";
import { FileImporter } from "./file-importer.server.ts";
import { shownFileName } from "./file-name.ts";
import { FileRefusal } from "./file-refusal.ts";
import { type ReceivedFile, readFile } from "./read-file.server.ts";

/** What the files of an upload held: hashed, in the importer, which who has this closes. */
export type ReadUpload = { importer: FileImporter; files: UploadFile[]; droppedColumns: string[]; notes: string[] };

/**
 * Reads files as they arrive, one after another. Raw identifiers are in memory only. `country`: ISO code that phones without one are
 * read in. Throws FileRefusal for what cannot be taken, and what a stream throws that breaks off.
 */
export async function readUpload({
  country,
  files,
}: {
  country: string | undefined;
  files: AsyncIterable<ReceivedFile>;
}): Promise<ReadUpload> {
  const importer = new FileImporter({ country });
  try {
    return { importer, ...(await readFiles(importer, files)) };
  } catch (error) {
    await importer.close();
    throw error;
  }
}

async function readFiles(importer: FileImporter, files: AsyncIterable<ReceivedFile>) {
  const done: UploadFile[] = [];
  const dropped = new Set<string>();
  const notes: string[] = [];
  for await (const file of files) {
    if (done.length === uploadLimits.files) {
      throw new FileRefusal(
        `Send at most ${uploadLimits.files} files at once; the others can follow in another upload.`,
      );
    }
    const name = shownFileName(file.name);
    const read = await readFile(importer, { file, index: done.length }).catch((error: unknown) => {
      if (!(error instanceof FileRefusal)) throw error;
      const refused = { name, bytes: 0, format: "refused", rows: 0 };
      throw new FileRefusal(`${name}: ${error.message}`, { tooLarge: error.tooLarge, files: [...done, refused] });
    });
    for (const column of read.dropped) dropped.add(column);
    if (read.headless) notes.push(`${name} has no names of columns; its first row was read as data.`);
    done.push({ name, bytes: read.bytes, format: read.format, rows: read.rows });
  }
  if (done.length === 0) throw new FileRefusal("Choose at least one file");
  return { files: done, droppedColumns: [...dropped].slice(0, 200), notes };
}
