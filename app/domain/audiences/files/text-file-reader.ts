import { CsvScanner, type RecordFastPath } from "#app/sheets/csv-scanner.ts";
import { type ReadEncoding, textEncodingLabels } from "#app/sheets/text/encodings.ts";
import { type EncodingChoice, TextToUtf8 } from "#app/sheets/text/text-to-utf8.ts";
import type { ConsentColumn } from "../consent/consent-columns.ts";
import { readConsent } from "../consent/consent-values.ts";
import type { ColumnOptions } from "./column-layout.ts";
import type { FileLayout } from "./column-uses.ts";
import { columnIndexes, type IdentifierColumns } from "./columns.ts";
import { HeaderFinder } from "./header-finder.ts";
import type { RowReader } from "./row-reader.ts";
import { UploadRejectedError } from "./upload-rejected-error.ts";

/** The fast path for simple rows: see `kernel/member-kernel.server.ts`. */
type RowFastPath = {
  /** The number of columns about consent that it can read. */
  maxConsents: number;
  openTable: (table: { delimiter: number; lineEnd: number; columns: IdentifierColumns }) => void;
  load: (bytes: Uint8Array) => boolean;
  scanRows: (position: number) => { position: number; rows: number; blank: number };
  /** Makes it read a value of a column about consent by itself. */
  learnConsent: (consent: number, value: string, verdict: "in" | "out") => void;
  /** The opt-outs that it found in the table, by column about consent. */
  optOuts: () => { rows: number; identifiers: number; blank: number }[];
};

type ReaderOptions = {
  encoding: EncodingChoice;
  file: number;
  fastPath?: RowFastPath | undefined;
  columnOptions?: ColumnOptions;
  /** The statement of the file as a whole that its people opted out. */
  statement?: ConsentColumn | undefined;
};

/** Reads a file of delimited text as it arrives. */
export class TextFileReader {
  columns: IdentifierColumns | undefined;
  private readonly scanner: CsvScanner;
  private readonly converter: TextToUtf8;
  private readonly header: HeaderFinder;
  private readonly rows: RowReader;
  /** Set once the fast path has the columns of this table. */
  private openedFastPath: RowFastPath | undefined;

  /**
   * `fastPath` sees every data row but the first ones before `rows` does. Rows that it handles are only counted in
   * `rows`.
   */
  constructor(rows: RowReader, { encoding, file, fastPath, columnOptions = {}, statement }: ReaderOptions) {
    this.rows = rows;
    this.converter = new TextToUtf8(encoding);
    this.header = new HeaderFinder(columnOptions);
    this.scanner = new CsvScanner((cells, line) => {
      const isNames = this.columns === undefined;
      this.columns ??= withStatement(this.findColumns(cells), statement);
      const { columns } = this;
      if (!columns) return;
      if (!isNames || columns.headerless) this.readRow(cells, columns, { file, line });
      if (!this.scanner.columnsToDecode && this.header.recorder?.isFull) this.finishSampling(columns, fastPath);
    });
  }

  private readRow(cells: string[], columns: IdentifierColumns, place: { file: number; line: number }): void {
    const isWithheld = this.rows.read(cells, columns, place);
    this.header.recorder?.add(cells, isWithheld);
    if (columns.consents.length > 0) learnConsents(this.openedFastPath, cells, columns);
  }

  /** From here on only the columns that are imported are decoded, and the fast path sees every row first. */
  private finishSampling(columns: IdentifierColumns, fastPath: RowFastPath | undefined): void {
    this.scanner.columnsToDecode = columnIndexes(columns);
    // The kernel reads identifiers and consent, not addresses.
    if (!fastPath || columns.address || columns.consents.length > fastPath.maxConsents) return;
    this.scanner.fastPath = toRecordFastPath(fastPath, this.rows, columns, () => {
      this.openedFastPath = fastPath;
    });
  }

  /** The table's columns, with examples from its first rows. */
  get layout(): FileLayout | undefined {
    return this.header.recorder?.layout;
  }

  /** What is known about the encoding once the file has ended. */
  get encoding(): ReadEncoding {
    const { unreadable, ...read } = this.converter.read;
    return { ...read, unreadable: unreadable + this.scanner.damagedCells };
  }

  private findColumns(cells: readonly string[]): IdentifierColumns | undefined {
    try {
      return this.header.read(cells);
    } catch (error) {
      throw this.withEncoding(error);
    }
  }

  /** Adds the encoding to a rejection, because column names that are read in the wrong one are not recognized. */
  private withEncoding(error: unknown): unknown {
    const { encoding, characters } = this.converter.read;
    if (!(error instanceof UploadRejectedError) || characters === "") return error;
    return new UploadRejectedError(
      `${error.message}. The file was read as ${textEncodingLabels[encoding]}. If the names look wrong, choose another text encoding.`,
      { layout: error.layout },
    );
  }

  push(chunk: Buffer): void {
    const text = this.converter.push(chunk);
    if (text.length > 0) this.scanner.push(text);
  }

  end(): void {
    this.scanner.push(this.converter.end());
    this.scanner.end();
    if (!this.columns) throw this.withEncoding(this.header.rejection());
    const { consents } = this.columns;
    if (!this.openedFastPath || consents.length === 0) return;
    const found = this.openedFastPath.optOuts();
    this.rows.addOptOuts(
      consents.flatMap((column, index) => {
        const counts = found[index];
        return counts && counts.rows + counts.identifiers > 0 ? [{ column, ...counts }] : [];
      }),
    );
  }
}

/** Adds the statement that a file makes as a whole to the statements of its columns. */
export function withStatement(
  columns: IdentifierColumns | undefined,
  statement: ConsentColumn | undefined,
): IdentifierColumns | undefined {
  return columns && statement ? { ...columns, consents: [statement, ...columns.consents] } : columns;
}

/** Values that the fast path cannot have seen yet: it leaves rows with an unknown value. */
function learnConsents(
  fastPath: RowFastPath | undefined,
  cells: readonly string[],
  { consents }: IdentifierColumns,
): void {
  if (!fastPath) return;
  for (const [consent, { index, kind }] of consents.entries()) {
    const value = cells[index]?.trim();
    if (!value || !shortAscii.test(value)) continue;
    const verdict = readConsent(kind, value);
    if (verdict === "in" || verdict === "out") fastPath.learnConsent(consent, value, verdict);
  }
}

const shortAscii = /^[!-~](?:[ -~]{0,14}[!-~])?$/;

function toRecordFastPath(
  fastPath: RowFastPath,
  rows: RowReader,
  columns: IdentifierColumns,
  onOpened: () => void,
): RecordFastPath {
  let opened = false;
  return {
    load: (bytes, split) => {
      if (!opened) {
        fastPath.openTable({ ...split, columns });
        opened = true;
        onOpened();
      }
      return fastPath.load(bytes);
    },
    scanRows: (from) => {
      const scanned = fastPath.scanRows(from);
      rows.addCounts(scanned);
      return { position: scanned.position, records: scanned.rows };
    },
  };
}
