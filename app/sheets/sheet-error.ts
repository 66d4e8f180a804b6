/** The reasons to reject a spreadsheet. */
type SheetErrorCode =
  | "not_a_spreadsheet"
  | "encrypted"
  | "damaged"
  | "forbidden_content"
  | "too_large_file"
  | "too_large_unpacked"
  | "too_many_entries"
  | "repeated_column"
  | "too_many_columns"
  | "too_many_rows"
  | "too_many_cells"
  | "too_long_cell"
  | "too_much_memory"
  | "too_much_time";

/**
 * The only error that reading a spreadsheet throws because of the file. `message` is for the uploader. It never quotes
 * a cell, the name of a sheet or anything else of the file, so that it can be logged and shown.
 */
export class SheetError extends Error {
  readonly code: SheetErrorCode;

  /** `cause` is a defect of the product, for the log. */
  constructor(code: SheetErrorCode, message: string, cause?: Error) {
    super(message, { cause });
    this.name = "SheetError";
    this.code = code;
  }
}

/** The file contradicts itself or its format. `what` is never text of the file, such as "file directory". */
export function damagedSheet(what: string): SheetError {
  return new SheetError("damaged", `This spreadsheet is damaged (${what}). Open it, save a new copy and upload that.`);
}

/** The file, or a part of it, is encrypted. */
export function encryptedSheet(): SheetError {
  return new SheetError(
    "encrypted",
    "This spreadsheet is password protected. Remove the password and upload it again.",
  );
}

/** The file inflates to more than its limit, or its shared strings need more memory than theirs. */
export function tooLargeUnpacked(): SheetError {
  return new SheetError(
    "too_large_unpacked",
    "This spreadsheet is too large when unpacked. Save it as .csv and upload that.",
  );
}

const limitedUnits = { too_many_columns: "columns", too_many_rows: "rows", too_many_cells: "cells" } as const;

export function sheetLimitExceeded(code: keyof typeof limitedUnits): SheetError {
  const what = limitedUnits[code];
  return new SheetError(
    code,
    `This spreadsheet has too many ${what}. Remove the ones you don't need and upload it again.`,
  );
}

export function tooLongCell(): SheetError {
  return new SheetError(
    "too_long_cell",
    "A cell in this spreadsheet contains too much text. Shorten it and upload the file again.",
  );
}
