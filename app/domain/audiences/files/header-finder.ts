import { readConsent } from "../consent/consent-values.ts";
import { type ColumnOptions, missingNames, resolveTable, unrecognizedLayout } from "./column-layout.ts";
import { consentOf, type FileLayout } from "./column-uses.ts";
import { describeColumns, type IdentifierColumns } from "./columns.ts";
import { LayoutRecorder } from "./layout-recorder.ts";
import { UploadRejectedError } from "./upload-rejected-error.ts";

/** Titles, dates and the like above a table fill one or two cells of a row. */
const maxTitleCells = 2;
const maxTitleRows = 10;

/** Finds the row with the column names: the first one that is not blank, or one below a few rows of titles. */
export class HeaderFinder {
  /** The table's layout, once it is found. */
  recorder: LayoutRecorder | undefined;
  /** Until then: the row with the most cells so far, which probably has the names, and the rows below it. */
  private widest: { names: readonly string[]; filled: number; below: (readonly string[])[] } | undefined;
  private rows = 0;
  /** The layout of a table in which nothing is recognized: its next rows are only examples. */
  private unrecognized: LayoutRecorder | undefined;
  private readonly options: ColumnOptions;

  constructor(options: ColumnOptions) {
    this.options = options;
  }

  /**
   * Reads the next row. Returns undefined when the names may follow below; throws an UploadRejectedError that lists the
   * columns, with examples, when there is no identifier column.
   */
  read(cells: readonly string[]): IdentifierColumns | undefined {
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    // Blank lines above the table are not part of it.
    if (filled === 0) return undefined;
    if (this.unrecognized) {
      addExample(this.unrecognized, cells);
      if (this.unrecognized.isFull) throw this.rejection();
      return undefined;
    }
    const names = Array.from(cells, (cell) => (cell ?? "").replace(/[\ufeff\u00a0]/g, "").trim());
    const table = resolveTable({ names, isFirst: !this.widest }, this.options);
    if (table) {
      this.recorder = new LayoutRecorder(table.layout, this.options.sampledRows);
      return table.columns;
    }
    if (this.widest && filled <= this.widest.filled) this.widest.below.push(names);
    else this.widest = { names, filled, below: [] };
    this.rows += 1;
    if (filled > maxTitleCells || this.rows > maxTitleRows) this.unrecognized = recordUnrecognized(this.widest);
    return undefined;
  }

  /** Whether every row so far was blank. */
  get isEmpty(): boolean {
    return this.widest === undefined;
  }

  /** The error of a table without the names of its columns. */
  rejection(): UploadRejectedError {
    if (!this.widest) return new UploadRejectedError("The file is empty. Choose another file.");
    const { names } = this.widest;
    const { layout } = this.unrecognized ?? recordUnrecognized(this.widest);
    const missing = this.options.mapping ? missingNames(names, this.options.mapping) : [];
    const message =
      missing.length > 0
        ? `The file does not have the columns that the mapping names: ${describeColumns(missing)}`
        : "No email or phone column found. Name a column Email or Phone and upload the file again";
    return new UploadRejectedError(`${message}. Columns found: ${describeColumns(names)}`, { layout });
  }
}

function recordUnrecognized({ names, below }: { names: readonly string[]; below: (readonly string[])[] }) {
  const recorder = new LayoutRecorder(unrecognizedLayout(names));
  for (const cells of below) addExample(recorder, cells);
  return recorder;
}

function addExample(recorder: LayoutRecorder, cells: readonly string[]): void {
  recorder.add(cells, isOptedOut(cells, recorder.layout));
}

/** Whether a column about consent says that nothing of the row may be shown. */
function isOptedOut(cells: readonly string[], { columns }: FileLayout): boolean {
  return columns.some(({ detected }, index) => {
    const consent = consentOf(detected);
    return consent !== undefined && readConsent(consent.kind, cells[index] ?? "") !== "in";
  });
}
