import { type UploadFile, uploadLimits } from "../audience.ts";
import { FileImporter } from "./file-importer.server.ts";
import { shownFileName } from "./file-name.ts";
import { FileRefusal, refuseFile } from "./file-refusal.ts";
import { readFile } from "./read-file.server.ts";
import { type Turn, takeTurn, waitForTurn } from "./reading-turns.server.ts";
import type { ReceivedFile } from "./received-file.ts";
import { keepFiles } from "./waiting-files.server.ts";

/** What the files of an upload held: hashed, in the importer, which who has this closes. */
export type ReadUpload = { importer: FileImporter; files: UploadFile[]; droppedColumns: string[]; notes: string[] };

type Received = {
  /** ISO code that phones without one are read in. */
  country: string | undefined;
  files: AsyncIterable<ReceivedFile>;
};

/**
 * Takes the files of an upload in: reads them as they arrive, one after another, or, when others are being read, lets them
 * wait. All of them have come when this resolves; what it gives reads those that wait. Raw identifiers are in memory only,
 * or encrypted. Both throw FileRefusal for what cannot be taken, and what a stream throws that breaks off.
 */
export async function receiveFiles({ country, files }: Received): Promise<() => Promise<ReadUpload>> {
  const turn = takeTurn();
  if (!turn) {
    const waiting = await keepFiles(files);
    return async () => readInTurn({ country, files: waiting }, await waitForTurn());
  }
  const read = await readInTurn({ country, files }, turn);
  return async () => read;
}

async function readInTurn({ country, files }: Received, turn: Turn): Promise<ReadUpload> {
  const importer = new FileImporter({ country, onClose: turn.end });
  try {
    return { importer, ...(await readFiles(importer, { files, turn })) };
  } catch (error) {
    await importer.close();
    throw error;
  }
}

async function readFiles(importer: FileImporter, { files, turn }: { files: AsyncIterable<ReceivedFile>; turn: Turn }) {
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
    const read = await readFile(importer, { file, index: done.length, onWaited: turn.waited }).catch((error: unknown) =>
      refuseFile(error, { name, before: done }),
    );
    for (const column of read.dropped) dropped.add(column);
    if (read.headless) notes.push(`${name} has no names of columns; its first row was read as data.`);
    done.push({ name, bytes: read.bytes, format: read.format, rows: read.rows });
  }
  if (done.length === 0) throw new FileRefusal("Choose at least one file");
  return { files: done, droppedColumns: [...dropped].slice(0, 200), notes };
}
