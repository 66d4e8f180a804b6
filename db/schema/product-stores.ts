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
import { accounts, users } from "./accounts.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "./columns.ts";

/**
 * A shop that an account's catalogue is fetched from. The credentials are sealed for this row (docs/decisions/0013) and gone
 * once it is disconnected; the row stays, for the reports of what was fetched. `problem` is what came of the last request,
 * null when it went well.
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
    shopUrl: text("shop_url").notNull(),
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
    unique("product_stores_one_each").on(table.accountId, table.shopUrl),
    oneOf("product_stores_kind", table.kind, storeKinds),
    oneOf("product_stores_frequency", table.frequency, syncFrequencies),
    oneOf("product_stores_problem", table.problem, storeProblems),
    index("product_stores_due").on(table.nextSyncAt),
  ],
);
