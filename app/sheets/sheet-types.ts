/** The formats of spreadsheets that are not text. */
export const spreadsheetFormats = ["xlsx", "xls", "ods"] as const;
export type SpreadsheetFormat = (typeof spreadsheetFormats)[number];

/** A file that can be read at any offset: a spool, or bytes in memory. */
export type RandomAccessFile = {
  /** In bytes. */
  readonly size: number;
  /** Reads exactly `length` bytes from `offset`. Throws RangeError for a range outside the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
};

export type SheetInfo = {
  name: string;
  /** Hidden or "very hidden" in the workbook. */
  hidden: boolean;
};

/** The callbacks of a reader, in the order of the file. The reader awaits a promise before it continues. */
export type SheetHandlers = {
  /** Before the first row of every worksheet, in the workbook's order. `false` leaves the sheet out. */
  onSheet?: (sheet: SheetInfo) => undefined | boolean | Promise<undefined | boolean>;
  /**
   * A row's cells from column A on, as text, without empty ones at its end; a new array each time. Rows that the file
   * omits are skipped. `rowNumber` is the one that a spreadsheet program displays, from 1.
   */
  onRow: (cells: readonly string[], rowNumber: number) => void | Promise<void>;
  /** Called before each row. Returns the columns to decode, from 0, the others being empty; undefined decodes all. */
  columnsToDecode?: () => ReadonlySet<number> | undefined;
  /** Aborts between two rows or two pieces of the file, throwing its reason. */
  signal?: AbortSignal;
};

/** The limits beyond which a file is rejected. Sizes are in bytes. */
export type SheetLimits = {
  /** Files inside the archive. */
  entries: number;
  /** One worksheet, inflated. */
  sheetBytes: number;
  /** The table of shared strings, inflated. */
  sharedTableBytes: number;
  /** All parts that are read of one file, inflated. */
  totalBytes: number;
  /** The inflated size divided by the compressed size, for parts over 16 MiB. Real sheets stay below 50. */
  ratio: number;
  /** The shared strings in memory. */
  sharedStringBytes: number;
  columns: number;
  /** In one sheet. The limit of Excel is 1,048,576. */
  rows: number;
  /** In all sheets, including the empty cells before filled ones. */
  cells: number;
  /** An old .xls, which is read into memory as a whole. */
  xlsBytes: number;
  /** How long the library may take for an old .xls, in milliseconds: some damaged ones it would read for ever. */
  xlsMs: number;
};

const MiB = 1024 * 1024;

export const defaultSheetLimits: SheetLimits = {
  entries: 1_000,
  sheetBytes: 2_048 * MiB,
  sharedTableBytes: 512 * MiB,
  totalBytes: 4_096 * MiB,
  ratio: 200,
  sharedStringBytes: 128 * MiB,
  columns: 5_000,
  rows: 1_048_576,
  cells: 200_000_000,
  xlsBytes: 25 * MiB,
  xlsMs: 30_000,
};
