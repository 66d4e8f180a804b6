import { discardFiles, spoolFiles } from "#app/domain/audiences/files/spool-files.server.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import type { Multipart } from "#app/web/multipart.server.ts";

type Files = AsyncIterable<ReceivedFile>;

/** The form of an audience's upload. `discard` is called at the end, and disposes of spooled files that nobody read. */
type UploadForm = { fields: FormData; readFiles: () => Files; discard: () => Promise<void> };

/**
 * Returns the fields and the files of an upload's form. The fields say how the files are read, so files that precede
 * all of them are spooled until the whole form has arrived. What is wrong with such a file is thrown when the files are
 * read, as of one that is read while it arrives.
 */
export async function openUploadForm({ fields, allFields, files, discard }: Multipart): Promise<UploadForm> {
  if (!fields.keys().next().done) return { fields, readFiles: () => files, discard };
  let unread: Files | undefined;
  const waiting = await spoolFiles(files).then((spooled) => {
    unread = spooled;
    return spooled;
  }, rejectedFiles);
  return {
    fields: allFields,
    readFiles: () => {
      unread = undefined;
      return waiting;
    },
    discard: async () => {
      if (unread) await discardFiles(unread);
      await discard();
    },
  };
}

function rejectedFiles(error: unknown): Files {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
