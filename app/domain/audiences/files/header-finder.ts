import {
  type ColumnOptions,
  describeColumns,
  detectColumns,
  detectNamedColumns,
  type IdentifierColumns,
} from "./columns.ts";
import { FileRejectedError } from "./file-rejected-error.ts";

/** Titles, dates and the like above a table fill one or two cells of a row. */
const maxTitleCells = 2;
const maxTitleRows = 10;

/** Finds the row with the column names: the first one that is not blank, or one below a few rows of titles. */
export class HeaderFinder {
  private first: readonly string[] | undefined;
  private rows = 0;
  private readonly options: ColumnOptions;

  constructor(options: ColumnOptions) {
    this.options = options;
  }

  /**
   * Reads the next row. Returns undefined when the names may follow below; throws a FileRejectedError that lists the
   * columns when there is no identifier column.
   */
  read(cells: readonly string[]): IdentifierColumns | undefined {
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    // Blank lines above the table are not part of it.
    if (filled === 0) return undefined;
    const columns = this.first ? detectNamedColumns(trimmed(cells), this.options) : detectColumns(cells, this.options);
    if (columns) return columns;
    this.first ??= [...cells];
    this.rows += 1;
    if (filled > maxTitleCells || this.rows > maxTitleRows) throw noIdentifierColumn(this.first);
    return undefined;
  }

  /** Whether every row so far was blank. */
  get isEmpty(): boolean {
    return this.first === undefined;
  }

  /** The error of a table that ended before the names of its columns. */
  rejection(): FileRejectedError {
    return this.first
      ? noIdentifierColumn(this.first)
      : new FileRejectedError("The file is empty. Choose another file.");
  }
}

function trimmed(cells: readonly string[]): string[] {
  return Array.from(cells, (cell) => (cell ?? "").replace(/[\ufeff\u00a0]/g, "").trim());
}

function noIdentifierColumn(first: readonly string[]): FileRejectedError {
  return new FileRejectedError(
    `No email or phone column found. Name a column Email or Phone and upload the file again. Columns found: ${describeColumns(first)}`,
  );
}
