/** What can be wrong with a spreadsheet, in one word. */
type SheetErrorCode =
  | "not_a_spreadsheet"
  | "encrypted"
  | "damaged"
  | "forbidden_content"
  | "too_large_file"
  | "too_large_unpacked"
  | "too_many_entries"
  | "too_many_columns"
  | "too_many_rows"
  | "too_many_cells"
  | "too_long_cell"
  | "too_much_memory";

/**
 * The only error that reading a spreadsheet throws because of the file. `message` is a sentence for the person who sent
 * it; it never holds a cell, a name of a sheet or another piece of the file, so it can be logged and shown.
 */
export class SheetError extends Error {
  readonly code: SheetErrorCode;

  /** `cause`: a defect of ours, for the log. */
  constructor(code: SheetErrorCode, message: string, cause?: Error) {
    super(message, { cause });
    this.name = "SheetError";
    this.code = code;
  }
}

/** The file contradicts itself or its format. `what` is one of our own words, such as "its list of parts". */
export function damaged(what: string): SheetError {
  return new SheetError(
    "damaged",
    `This spreadsheet is damaged (${what}). Open it, save it again and send the new file.`,
  );
}

/** A part, or the whole, wants a password. */
export function encrypted(): SheetError {
  return new SheetError(
    "encrypted",
    "This spreadsheet is protected by a password. Take the password off and send it again.",
  );
}

/** It unpacks to more than its size lets expect, or its texts to more than is kept. */
export function tooLargeUnpacked(): SheetError {
  return new SheetError(
    "too_large_unpacked",
    "This spreadsheet unpacks to far more than its size suggests. Save the sheet as .csv and send that.",
  );
}

const manyThings = { too_many_columns: "columns", too_many_rows: "rows", too_many_cells: "cells" } as const;

export function tooMany(code: keyof typeof manyThings): SheetError {
  const what = manyThings[code];
  return new SheetError(code, `This spreadsheet has more ${what} than we read. Send only the ${what} that are needed.`);
}

export function tooLongCell(): SheetError {
  return new SheetError("too_long_cell", "A cell of this spreadsheet holds far more text than a spreadsheet allows.");
}
