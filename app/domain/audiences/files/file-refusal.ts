import { type UploadFile, uploadLimits } from "../audience.ts";

type FileRefusalOptions = { tooLarge?: boolean; files?: UploadFile[]; cause?: unknown };

/**
 * The file as a whole cannot be taken. `message` is a sentence for the person who sent it and holds nothing of a person;
 * `tooLarge` makes it a 413; `files` are those of its upload up to and with it; `cause` is a defect of ours, for the log.
 */
export class FileRefusal extends Error {
  readonly tooLarge: boolean;
  readonly files: UploadFile[];

  constructor(message: string, { tooLarge = false, files = [], cause }: FileRefusalOptions = {}) {
    super(message, { cause });
    this.name = "FileRefusal";
    this.tooLarge = tooLarge;
    this.files = files;
  }
}

export function fileTooLarge(): FileRefusal {
  const megabytes = uploadLimits.fileBytes / 1024 / 1024;
  return new FileRefusal(`The file is larger than ${megabytes} MB. Split it and send the parts.`, { tooLarge: true });
}

/** Says of a refusal which file it is about; `before` are those of its upload that were taken. Other errors are thrown on. */
export function refuseFile(error: unknown, { name, before }: { name: string; before: UploadFile[] }): never {
  if (!(error instanceof FileRefusal)) throw error;
  const refused = { name, bytes: 0, format: "refused", rows: 0 };
  throw new FileRefusal(`${name}: ${error.message}`, {
    tooLarge: error.tooLarge,
    files: [...before, refused],
    cause: error.cause,
  });
}
