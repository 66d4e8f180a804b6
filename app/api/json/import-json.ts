import { z } from "zod";
import { timeOrNull, wire } from "#app/api/wire.ts";
import {
  currencySources,
  dialects,
  type ImportProblem,
  importStatuses,
} from "#app/domain/catalog/imports/catalog-import.ts";
import type { CatalogImport } from "#app/domain/catalog/imports/get-import.server.ts";
import { encodingSources, textEncodings } from "#app/sheets/text/encodings.ts";

const problemSchema = z.object({
  row: wire.count.describe("Spreadsheet row number; the header is row 1"),
  column: z.string(),
  message: z.string(),
});

export const importSchema = z.object({
  id: wire.id,
  status: z.enum(importStatuses).describe("previewed: can be committed within 24 hours"),
  dialect: z.enum(dialects).nullable(),
  file_name: z.string().nullable(),
  encoding: z
    .object({ name: z.enum(textEncodings), source: z.enum(encodingSources) })
    .nullable()
    .describe("The encoding that a text file was read in"),
  header_row: wire.count.nullable().describe("Row number of the column names"),
  columns: z.record(z.string(), z.array(z.string())).describe("Columns mapped to each field"),
  guessed_fields: z.array(z.string()).describe("Fields whose column was guessed by its name; check them"),
  currency_source: z
    .enum(currencySources)
    .nullable()
    .describe("How it is known that prices are in US dollars; assumed: the file names no currency"),
  missing_fields: z.array(z.string()).describe("Required fields without a column"),
  rows_read: wire.count,
  created: wire.count.describe("For a preview, the number that would be created"),
  updated: wire.count,
  unchanged: wire.count.describe("Updated rows with no changes"),
  skipped: wire.count.describe("Rows that are not products, such as images or variation parents"),
  rejected: wire.count,
  derived_skus: wire.count,
  default_categories: wire.count,
  errors: z.array(problemSchema).describe("The first 1,000"),
  warnings: z.array(problemSchema).describe("The first 1,000"),
  error: z.string().nullable().describe("Why the whole file was rejected"),
  created_at: wire.time,
  finished_at: wire.time.nullable(),
});

type Problems = { errors: readonly ImportProblem[]; warnings: readonly ImportProblem[] };

export function importJson(of: CatalogImport, { errors, warnings }: Problems): z.input<typeof importSchema> {
  return {
    id: of.id,
    status: of.status,
    dialect: of.dialect,
    file_name: of.fileName,
    encoding: of.encoding && { name: of.encoding.encoding, source: of.encoding.source },
    header_row: of.headerRow,
    columns: { ...of.readColumns },
    guessed_fields: of.guessedFields,
    currency_source: of.currencySource,
    missing_fields: of.missingFields,
    rows_read: of.rowsRead,
    created: of.created,
    updated: of.updated,
    unchanged: of.unchanged,
    skipped: of.skipped,
    rejected: of.rejected,
    derived_skus: of.derivedSkus,
    default_categories: of.defaultCategories,
    errors: errors.map(problemJson),
    warnings: warnings.map(problemJson),
    error: of.error,
    created_at: of.createdAt.toISOString(),
    finished_at: timeOrNull(of.finishedAt),
  };
}

function problemJson({ row, column, message }: ImportProblem) {
  return { row, column, message };
}
