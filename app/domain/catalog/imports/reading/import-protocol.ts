import type { SpoolDescription } from "#app/sheets/encrypted-spool.server.ts";
import type { ChosenColumns, ImportField, ImportOptions, ImportProblem } from "../catalog-import.ts";
import type { ReadCounts } from "./product-collector.ts";
import type { TableHead } from "./read-table.server.ts";

/** What the thread that reads a catalogue's file is asked, in this order. */
export type ReadRequest =
  | { kind: "piece"; bytes: Uint8Array }
  | { kind: "text"; encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" }
  | { kind: "sheets"; format: "xlsx" | "xls"; spool: SpoolDescription }
  | { kind: "begin"; chosen: ChosenColumns; options: ImportOptions }
  | { kind: "batch" };

/** A batch's rows are JSON already: they only pass through on their way into the database. */
export type ReadAnswer = { id: number } & (
  | { kind: "done" }
  | { kind: "head"; head: TableHead }
  | { kind: "begun"; missing: ImportField[]; columns: Partial<Record<ImportField, string[]>> }
  | { kind: "batch"; rows: string; rowCount: number; problems: ImportProblem[]; counts: ReadCounts; last: boolean }
  /** `defect`: where an error was thrown that is not about the file. */
  | { kind: "refused"; message: string; defect?: string }
);
