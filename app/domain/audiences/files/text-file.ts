import { CsvScanner, type RecordTaker } from "#app/sheets/csv-scanner.ts";
import type { TextEncoding as DetectedEncoding } from "#app/sheets/detect-text.ts";
import { type Columns, describeColumns, findColumns } from "./columns.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { RowReader } from "./row-reader.ts";

/** UTF-16 has to be made UTF-8 before it can be split; everything else is split as it is. */
export type TextEncoding = Exclude<DetectedEncoding, "windows-1252">;

/** The fast way for rows that are plain: see `kernel/member-kernel.server.ts`. */
type RowTaker = {
  openTable: (table: { delimiter: number; lineEnd: number; columns: Columns }) => void;
  load: (bytes: Uint8Array) => boolean;
  take: (position: number) => { position: number; rows: number; blank: number };
};

/** Reads a file of delimited text as it arrives. */
export class TextFile {
  columns: Columns | undefined;
  private readonly scanner: CsvScanner;
  private readonly decoder: TextDecoder | undefined;

  /** `taker` gets every row of data before `rows` does, and what it takes is only counted there. */
  constructor(
    rows: RowReader,
    { encoding, file, taker }: { encoding: TextEncoding; file: number; taker?: RowTaker | undefined },
  ) {
    this.decoder = encoding === "utf-8" ? undefined : new TextDecoder(encoding);
    this.scanner = new CsvScanner((cells, line) => {
      if (this.columns) return rows.read(cells, this.columns, { file, line });
      // Lines above the table: an empty first line is none of it.
      if (cells.every((cell) => cell.trim() === "")) return;
      this.columns = requireColumns(cells);
      this.scanner.wanted = wantedOf(this.columns);
      this.scanner.taker = taker && recordTaker(taker, rows, this.columns);
      if (this.columns.headless) rows.read(cells, this.columns, { file, line });
    });
  }

  push(chunk: Buffer): void {
    // A copy, because what is shared between threads is not decoded.
    this.scanner.push(this.decoder ? Buffer.from(this.decoder.decode(Buffer.from(chunk), { stream: true })) : chunk);
  }

  end(): void {
    if (this.decoder) this.scanner.push(Buffer.from(this.decoder.decode()));
    this.scanner.end();
    if (!this.columns) throw new FileRefusal("The file is empty");
  }
}

/** Throws a FileRefusal that names the columns when none of them can be read. */
export function requireColumns(first: readonly string[]): Columns {
  const columns = findColumns(first);
  if (columns) return columns;
  throw new FileRefusal(
    `No column with e-mail addresses or phones was found. Name one of them Email or Phone. Columns found: ${describeColumns(first)}`,
  );
}

function recordTaker(taker: RowTaker, rows: RowReader, columns: Columns): RecordTaker {
  let opened = false;
  return {
    load: (bytes, split) => {
      if (!opened) taker.openTable({ ...split, columns });
      opened = true;
      return taker.load(bytes);
    },
    take: (from) => {
      const taken = taker.take(from);
      rows.countTaken(taken);
      return { position: taken.position, records: taken.rows };
    },
  };
}

function wantedOf({ identifiers, country }: Columns): ReadonlySet<number> {
  return new Set([...identifiers.map((column) => column.index), ...(country === undefined ? [] : [country])]);
}
