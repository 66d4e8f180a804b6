import type { UploadFile } from "../audience.ts";

/**
 * The file as a whole cannot be taken. `message` is a sentence for the person who sent it and holds nothing of a person;
 * `tooLarge` makes it a 413; `files` are those of its upload up to and with it.
 */
export class FileRefusal extends Error {
  readonly tooLarge: boolean;
  readonly files: UploadFile[];

  constructor(message: string, { tooLarge = false, files = [] }: { tooLarge?: boolean; files?: UploadFile[] } = {}) {
    super(message);
    this.name = "FileRefusal";
    this.tooLarge = tooLarge;
    this.files = files;
  }
}
