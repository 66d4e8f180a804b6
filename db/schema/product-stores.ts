import { boolean, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import {
  type StoreKind,
  type StoreProblem,
  type SyncFrequency,
  storeKinds,
  storeProblems,
  syncFrequencies,
} from "#app/domain/catalog/stores/store.ts";
import type { AccountId, StoreId, UserId } from "#app/domain/ids.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";

/**
 * A store that an account's catalog is synced with. The credentials are encrypted for this row (docs/decisions/0013)
 * and deleted when the store is disconnected; the row remains for the reports of its syncs. `problem` is the outcome of
 * the last request, null when it succeeded.
 */
export const productStores = pgTable(
  "product_stores",
  {
    id: primaryId<StoreId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    kind: text("kind").$type<StoreKind>().notNull(),
    storeUrl: text("store_url").notNull(),
    name: text("name").notNull(),
    credential: bytes("credential"),
    frequency: text("frequency").$type<SyncFrequency>().notNull().default("daily"),
    deriveSku: boolean("derive_sku").notNull().default(false),
    defaultCategory: text("default_category"),
    problem: text("problem").$type<StoreProblem>(),
    checkedAt: instant("checked_at").notNull(),
    nextSyncAt: instant("next_sync_at"),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
  },
  (table) => [
    unique("product_stores_account_id").on(table.accountId, table.id),
    unique("product_stores_one_each").on(table.accountId, table.storeUrl),
    oneOf("product_stores_kind", table.kind, storeKinds),
    oneOf("product_stores_frequency", table.frequency, syncFrequencies),
    oneOf("product_stores_problem", table.problem, storeProblems),
    index("product_stores_due").on(table.nextSyncAt),
  ],
);
