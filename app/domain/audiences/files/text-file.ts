import { CsvScanner } from "#app/sheets/csv-scanner.ts";
import type { TextEncoding as DetectedEncoding } from "#app/sheets/detect-format.ts";
import { type Columns, describeColumns, findColumns } from "./columns.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { RowReader } from "./row-reader.ts";

/** UTF-16 has to be made UTF-8 before it can be split; everything else is split as it is. */
export type TextEncoding = Exclude<DetectedEncoding, "windows-1252">;

/** Reads a file of delimited text as it arrives. */
export class TextFile {
  columns: Columns | undefined;
  private readonly scanner: CsvScanner;
  private readonly decoder: TextDecoder | undefined;

  constructor(rows: RowReader, { encoding, file }: { encoding: TextEncoding; file: number }) {
    this.decoder = encoding === "utf-8" ? undefined : new TextDecoder(encoding);
    this.scanner = new CsvScanner((cells, line) => {
      if (this.columns) return rows.read(cells, this.columns, { file, line });
      // Lines above the table: an empty first line is none of it.
      if (cells.every((cell) => cell.trim() === "")) return;
      this.columns = requireColumns(cells);
      this.scanner.wanted = wantedOf(this.columns);
      if (this.columns.headless) rows.read(cells, this.columns, { file, line });
    });
  }

  push(chunk: Buffer): void {
    this.scanner.push(this.decoder ? Buffer.from(this.decoder.decode(chunk, { stream: true })) : chunk);
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

function wantedOf({ identifiers, country }: Columns): ReadonlySet<number> {
  return new Set([...identifiers.map((column) => column.index), ...(country === undefined ? [] : [country])]);
}
