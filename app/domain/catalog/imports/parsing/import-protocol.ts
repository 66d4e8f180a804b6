import type { SpoolHandle } from "#app/sheets/encrypted-spool.server.ts";
import type { SpreadsheetFormat } from "#app/sheets/sheet-types.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import type { ChosenColumns, CurrencySource, ImportField, ImportOptions, ImportProblem } from "../catalog-import.ts";
import type { ReadCounts } from "./product-collector.ts";
import type { TableHead } from "./read-table.server.ts";

/** The requests to the thread that reads a catalog file, in this order. `now`: when sale prices must apply. */
export type ReadRequest =
  | { kind: "piece"; bytes: Uint8Array }
  | { kind: "text"; chosen: TextEncoding | null; headerRow: number | null }
  | { kind: "feed" }
  | { kind: "sheets"; format: SpreadsheetFormat; spool: SpoolHandle; headerRow: number | null }
  | { kind: "begin"; chosen: ChosenColumns; options: ImportOptions; now: Date }
  | { kind: "batch" };

/** A batch's rows are already JSON, because they are only passed on to the database. */
export type ReadResponse = { id: number } & (
  | { kind: "done" }
  | { kind: "head"; head: TableHead }
  | {
      kind: "begun";
      missing: ImportField[];
      columns: Partial<Record<ImportField, string[]>>;
      guessed: ImportField[];
      currencySource: CurrencySource;
    }
  | { kind: "batch"; rows: string; rowCount: number; problems: ImportProblem[]; counts: ReadCounts; last: boolean }
  /** `defect`: the location of an error that is not about the file. */
  | { kind: "rejected"; message: string; defect?: string }
);
