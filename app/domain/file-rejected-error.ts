/**
 * A file, or a form with files, was rejected as a whole. `message` is shown to the sender and contains no personal
 * data; `tooLarge` makes the response a 413; `cause` is an internal defect, for the log.
 */
export class FileRejectedError extends Error {
  readonly tooLarge: boolean;

  constructor(message: string, { tooLarge = false, cause }: { tooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = "FileRejectedError";
    this.tooLarge = tooLarge;
  }
}
