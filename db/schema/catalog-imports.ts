import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  type ChosenColumns,
  type CurrencySource,
  currencySources,
  type Dialect,
  dialects,
  type ImportEncoding,
  type ImportField,
  type ImportStatus,
  importStatuses,
  type ProblemKind,
  problemKinds,
  type TextEncoding,
  textEncodings,
} from "#app/domain/catalog/imports/catalog-import.ts";
import type { AccountId, ImportId, StoreId, UserId } from "#app/domain/ids.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";
import { productStores } from "./product-stores.ts";

/**
 * An import of one product file: staged, previewed, and then committed or discarded. A sync of a store has a row of the
 * same kind. The counts are those of the preview until the import is committed, and then the actual ones.
 */
export const productImports = pgTable(
  "product_imports",
  {
    id: primaryId<ImportId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    status: text("status").$type<ImportStatus>().notNull().default("running"),
    /** How often its file was sent, or its sync begun. A process of an earlier run changes nothing any more. */
    run: integer("run").notNull().default(1),
    /** Someone wants its rows in the catalog: it was committed, or is as soon as it is read. */
    commitRequested: boolean("commit_requested").notNull().default(false),
    /** The shop it was fetched from; null for a file. */
    storeId: uuid("store_id").$type<StoreId>(),
    /** For a store: the cursor of the next page, and the number of attempts before that failed or were interrupted. */
    cursor: text("cursor"),
    attempts: integer("attempts").notNull().default(0),
    fileName: text("file_name"),
    bytes: bigint("bytes", { mode: "number" }),
    format: text("format"),
    /** The encoding of a text: the one that was chosen, if any, and the one in which it was read. */
    chosenEncoding: text("chosen_encoding").$type<TextEncoding>(),
    encoding: jsonb("encoding").$type<ImportEncoding>(),
    dialect: text("dialect").$type<Dialect>(),
    header: jsonb("header").$type<string[]>().notNull().default([]),
    /**
     * The row of the header: the one that was chosen, if any, and the one that was read; and the rows that could be
     * one.
     */
    chosenHeaderRow: integer("chosen_header_row"),
    headerRow: integer("header_row"),
    firstRows: jsonb("first_rows").$type<{ row: number; text: string }[]>().notNull().default([]),
    /** The first rows as they are in the file. */
    samples: jsonb("samples").$type<string[][]>().notNull().default([]),
    /** The columns chosen for this file; null when none were, so that the last choice for its dialect applies. */
    chosenColumns: jsonb("chosen_columns").$type<ChosenColumns>(),
    /** The columns that each field was actually read from. */
    readColumns: jsonb("read_columns").$type<Partial<Record<ImportField, string[]>>>().notNull().default({}),
    /** The fields whose column was guessed by its name. */
    guessedFields: jsonb("guessed_fields").$type<ImportField[]>().notNull().default([]),
    missingFields: jsonb("missing_fields").$type<ImportField[]>().notNull().default([]),
    deriveSku: boolean("derive_sku").notNull().default(false),
    defaultCategory: text("default_category"),
    /** The currency of prices that name none, as chosen, and how the currency is known. */
    currency: text("currency"),
    /** The URL that file names of images are relative to. */
    imageBase: text("image_base"),
    currencySource: text("currency_source").$type<CurrencySource>(),
    rowsRead: integer("rows_read").notNull().default(0),
    created: integer("created").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    /** The updated rows that did not change anything. */
    unchanged: integer("unchanged").notNull().default(0),
    skipped: integer("skipped").notNull().default(0),
    rejected: integer("rejected").notNull().default(0),
    warned: integer("warned").notNull().default(0),
    derivedSkus: integer("derived_skus").notNull().default(0),
    defaultCategories: integer("default_categories").notNull().default(0),
    error: text("error"),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
    /** Moves while the process that works on it lives; one that stands still was interrupted. */
    heartbeatAt: instant("heartbeat_at").notNull(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    unique("product_imports_account_id").on(table.accountId, table.id),
    oneOf("product_imports_status", table.status, importStatuses),
    oneOf("product_imports_dialect", table.dialect, dialects),
    oneOf("product_imports_currency_source", table.currencySource, currencySources),
    check("product_imports_currency", sql`${table.currency} ~ '^[A-Z]{3}$'`),
    check("product_imports_header_rows", sql`${table.chosenHeaderRow} > 0 and ${table.headerRow} > 0`),
    oneOf("product_imports_encoding", table.chosenEncoding, textEncodings),
    check(
      "product_imports_finished",
      sql`(${table.status} = 'running') = (${table.finishedAt} is null)
        and (${table.status} = 'failed') = (${table.error} is not null)
        and (${table.status} <> 'succeeded' or ${table.commitRequested})`,
    ),
    foreignKey({
      name: "product_imports_store",
      columns: [table.accountId, table.storeId],
      foreignColumns: [productStores.accountId, productStores.id],
    }),
    // Allows one running sync per store.
    uniqueIndex("product_imports_one_sync").on(table.storeId).where(sql`${table.status} = 'running'`),
    index("product_imports_of_store").on(table.storeId, table.id),
    index("product_imports_running").on(table.heartbeatAt).where(sql`${table.status} = 'running'`),
    index("product_imports_waiting").on(table.finishedAt).where(sql`${table.status} = 'previewed'`),
  ],
);

/**
 * References the import with its owner, so that a row can never refer to another account's import, and is deleted with
 * it.
 */
function ofImport() {
  return {
    importId: uuid("import_id").$type<ImportId>().notNull(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    number: integer("number").notNull(),
  };
}

type OfImport = { [K in keyof ReturnType<typeof ofImport>]: Parameters<typeof foreignKey>[0]["columns"][0] };

function withItsImport(name: string, table: OfImport) {
  return foreignKey({
    name,
    columns: [table.accountId, table.importId],
    foreignColumns: [productImports.accountId, productImports.id],
  }).onDelete("cascade");
}

/** The file itself, until it is committed, so that it can be staged again with other columns. */
export const productImportChunks = pgTable(
  "product_import_chunks",
  { ...ofImport(), bytes: bytes("bytes").notNull() },
  (table) => [
    primaryKey({ columns: [table.importId, table.number] }),
    withItsImport("product_import_chunks_of", table),
  ],
);

/** The staged rows of the file in batches of some thousand, each a list of `StagedRow`. */
export const productImportBatches = pgTable(
  "product_import_batches",
  { ...ofImport(), rows: jsonb("rows").notNull() },
  (table) => [
    primaryKey({ columns: [table.importId, table.number] }),
    withItsImport("product_import_batches_of", table),
  ],
);

/** The problems of rows; kept for the report. */
export const productImportProblems = pgTable(
  "product_import_problems",
  {
    ...ofImport(),
    kind: text("kind").$type<ProblemKind>().notNull(),
    row: integer("row").notNull(),
    sku: text("sku"),
    column: text("column_name").notNull(),
    message: text("message").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.number] }),
    withItsImport("product_import_problems_of", table),
    oneOf("product_import_problems_kind", table.kind, problemKinds),
  ],
);

/** The columns that an account last chose for files of a dialect. */
export const productImportColumnMappings = pgTable(
  "product_import_column_mappings",
  {
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    dialect: text("dialect").$type<Dialect>().notNull(),
    columns: jsonb("columns").$type<ChosenColumns>().notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.dialect] }),
    oneOf("product_import_column_mappings_dialect", table.dialect, dialects),
  ],
);
