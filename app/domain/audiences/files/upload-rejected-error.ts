import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { type UploadFile, uploadLimits } from "../audience.ts";
import type { FileLayout } from "./column-uses.ts";

type UploadRejectedErrorOptions = {
  tooLarge?: boolean;
  files?: UploadFile[];
  layout?: FileLayout | undefined;
  cause?: unknown;
};

/**
 * A file of an audience's upload was rejected: `files` are those of the upload up to and including this one; `layout`
 * are its columns if they were not recognized.
 */
export class UploadRejectedError extends FileRejectedError {
  readonly files: UploadFile[];
  readonly layout: FileLayout | undefined;

  constructor(message: string, { files = [], layout, ...options }: UploadRejectedErrorOptions = {}) {
    super(message, options);
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
  const layout = error instanceof UploadRejectedError ? error.layout : undefined;
  const rejectedFile = { name, bytes: 0, format: "refused", rows: 0, ...(layout && { layout }) };
  throw new UploadRejectedError(`${name}: ${error.message}`, {
    tooLarge: error.tooLarge,
    files: [...before, rejectedFile],
    cause: error.cause,
  });
}
