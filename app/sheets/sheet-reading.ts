/** A file that can be read from any place: a spool, or bytes in memory. */
export type RandomAccess = {
  /** In bytes. */
  readonly size: number;
  /** Exactly `length` bytes from `offset`; a range outside the file is a RangeError. */
  read(offset: number, length: number): Promise<Uint8Array>;
};

export type SheetName = {
  name: string;
  /** Hidden or "very hidden" in the workbook. */
  hidden: boolean;
};

/** What a reader calls, in the order of the file. It waits for a promise before it goes on. */
export type SheetEvents = {
  /** Before the first row of every worksheet, in the workbook's order. `false` leaves the sheet out. */
  onSheet?: (sheet: SheetName) => undefined | boolean | Promise<undefined | boolean>;
  /**
   * A row's cells from column A on, as text, without empty ones at its end; a new array each time. Rows that the file
   * leaves out are left out here too. `rowNumber` is the one a spreadsheet program shows, from 1.
   */
  onRow: (cells: readonly string[], rowNumber: number) => void | Promise<void>;
  /** Asked before each row: the columns whose cells are made text, from 0 on; the others are empty. All when it says nothing. */
  wanted?: () => ReadonlySet<number> | undefined;
  /** Its reason is thrown between two rows or two pieces of the file. */
  signal?: AbortSignal;
};

/** How much a file may ask of us before it is refused. Sizes are bytes. */
export type SheetLimits = {
  /** Files inside the archive. */
  entries: number;
  /** One worksheet, unpacked. */
  sheetBytes: number;
  /** The table of shared texts, unpacked. */
  sharedTableBytes: number;
  /** All that is read of one file, unpacked. */
  totalBytes: number;
  /** Unpacked through packed, asked of parts over 16 MiB: real sheets stay below 50. */
  ratio: number;
  /** Shared texts kept in memory. */
  keptBytes: number;
  columns: number;
  /** In one sheet; Excel itself ends at 1,048,576. */
  rows: number;
  /** In all sheets, the gaps before filled cells included. */
  cells: number;
  /** An old .xls, which has to be held in memory as a whole. */
  xlsBytes: number;
};

const MiB = 1024 * 1024;

export const defaultSheetLimits: SheetLimits = {
  entries: 1_000,
  sheetBytes: 2_048 * MiB,
  sharedTableBytes: 512 * MiB,
  totalBytes: 4_096 * MiB,
  ratio: 200,
  keptBytes: 128 * MiB,
  columns: 5_000,
  rows: 1_048_576,
  cells: 200_000_000,
  xlsBytes: 25 * MiB,
};
