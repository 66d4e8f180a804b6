/**
 * The file as a whole cannot be taken. `message` is a sentence for the person who sent it and holds nothing of a person;
 * `tooLarge` makes it a 413.
 */
export class FileRefusal extends Error {
  readonly tooLarge: boolean;

  constructor(message: string, { tooLarge = false } = {}) {
    super(message);
    this.name = "FileRefusal";
    this.tooLarge = tooLarge;
  }
}
