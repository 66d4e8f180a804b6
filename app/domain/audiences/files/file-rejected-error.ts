import { type UploadFile, uploadLimits } from "../audience.ts";
import type { FileLayout } from "./column-uses.ts";

type FileRejectedErrorOptions = {
  tooLarge?: boolean;
  files?: UploadFile[];
  layout?: FileLayout | undefined;
  cause?: unknown;
};

/**
 * A file was rejected as a whole. `message` is shown to the uploader and contains no personal data; `tooLarge` makes
 * the response a 413; `files` are the files of the upload up to and including this one; `layout` are its columns if they were
 * not recognized; `cause` is an internal defect,
 * for the log.
 */
export class FileRejectedError extends Error {
  readonly tooLarge: boolean;
  readonly files: UploadFile[];
  readonly layout: FileLayout | undefined;

  constructor(message: string, { tooLarge = false, files = [], layout, cause }: FileRejectedErrorOptions = {}) {
    super(message, { cause });
    this.name = "FileRejectedError";
    this.tooLarge = tooLarge;
    this.files = files;
    this.layout = layout;
  }
}

export function fileTooLarge(): FileRejectedError {
  const megabytes = uploadLimits.fileBytes / 1024 / 1024;
  return new FileRejectedError(`The file is larger than ${megabytes} MB. Split it and upload the parts.`, {
    tooLarge: true,
  });
}

/**
 * Rethrows a rejection with the name of its file; `before` are the files of the upload that were accepted. Rethrows
 * other errors unchanged.
 */
export function rethrowWithFileName(error: unknown, { name, before }: { name: string; before: UploadFile[] }): never {
  if (!(error instanceof FileRejectedError)) throw error;
  const rejectedFile = { name, bytes: 0, format: "refused", rows: 0, ...(error.layout && { layout: error.layout }) };
  throw new FileRejectedError(`${name}: ${error.message}`, {
    tooLarge: error.tooLarge,
    files: [...before, rejectedFile],
    cause: error.cause,
  });
}
