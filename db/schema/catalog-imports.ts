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
  type Dialect,
  dialects,
  type ImportField,
  type ImportStatus,
  importStatuses,
  type ProblemKind,
  problemKinds,
} from "#app/domain/catalog/imports/catalog-import.ts";
import type { AccountId, ImportId, StoreId, UserId } from "#app/domain/ids.ts";
import { accounts, users } from "./accounts.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "./columns.ts";
import { productStores } from "./product-stores.ts";

/**
 * One file of products: read, looked at, and then taken into the catalogue or not. What a shop sends by itself has a row of
 * the same kind. The counts are those of the preview until it is committed, and then what happened.
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
    /** Somebody wants its rows in the catalogue: it was committed, or is as soon as it is read. */
    committed: boolean("committed").notNull().default(false),
    /** The shop it was fetched from; null for a file. */
    storeId: uuid("store_id").$type<StoreId>(),
    /** Of a shop: where the next page begins, and how often it was tried. */
    cursor: text("cursor"),
    tries: integer("tries").notNull().default(0),
    fileName: text("file_name"),
    bytes: bigint("bytes", { mode: "number" }),
    format: text("format"),
    dialect: text("dialect").$type<Dialect>(),
    header: jsonb("header").$type<string[]>().notNull().default([]),
    /** The first rows as they stand in the file. */
    samples: jsonb("samples").$type<string[][]>().notNull().default([]),
    /** What was chosen for this file; null when nothing was, then what was chosen for its dialect before counts. */
    chosenColumns: jsonb("chosen_columns").$type<ChosenColumns>(),
    /** Which columns each field was read from in the end. */
    readColumns: jsonb("read_columns").$type<Partial<Record<ImportField, string[]>>>().notNull().default({}),
    missingFields: jsonb("missing_fields").$type<ImportField[]>().notNull().default([]),
    deriveSku: boolean("derive_sku").notNull().default(false),
    defaultCategory: text("default_category"),
    rowsRead: integer("rows_read").notNull().default(0),
    created: integer("created").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    /** Of the updated those that are as they were. */
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
    aliveAt: instant("alive_at").notNull(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    unique("product_imports_account_id").on(table.accountId, table.id),
    oneOf("product_imports_status", table.status, importStatuses),
    oneOf("product_imports_dialect", table.dialect, dialects),
    check(
      "product_imports_finished",
      sql`(${table.status} = 'running') = (${table.finishedAt} is null)
        and (${table.status} = 'failed') = (${table.error} is not null)
        and (${table.status} <> 'succeeded' or ${table.committed})`,
    ),
    foreignKey({
      name: "product_imports_store",
      columns: [table.accountId, table.storeId],
      foreignColumns: [productStores.accountId, productStores.id],
    }),
    // Nobody fetches a shop twice at once.
    uniqueIndex("product_imports_one_sync").on(table.storeId).where(sql`${table.status} = 'running'`),
    index("product_imports_of_store").on(table.storeId, table.id),
    index("product_imports_running").on(table.aliveAt).where(sql`${table.status} = 'running'`),
    index("product_imports_waiting").on(table.finishedAt).where(sql`${table.status} = 'previewed'`),
  ],
);

/** The import with its owner: a row can never name a foreign one, and goes with it. */
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

/** The file itself, until it is committed: so that it can be read again with other columns. */
export const productImportPieces = pgTable(
  "product_import_pieces",
  { ...ofImport(), bytes: bytes("bytes").notNull() },
  (table) => [
    primaryKey({ columns: [table.importId, table.number] }),
    withItsImport("product_import_pieces_of", table),
  ],
);

/** What the rows of the file would make of the catalogue: some thousand in each, as a list of `StagedRow`. */
export const productImportBlocks = pgTable(
  "product_import_blocks",
  { ...ofImport(), rows: jsonb("rows").notNull() },
  (table) => [
    primaryKey({ columns: [table.importId, table.number] }),
    withItsImport("product_import_blocks_of", table),
  ],
);

/** What was wrong or odd, row by row; kept for the report. */
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

/** The columns an account chose last for files of a kind. */
export const productImportColumns = pgTable(
  "product_import_columns",
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
    oneOf("product_import_columns_dialect", table.dialect, dialects),
  ],
);
