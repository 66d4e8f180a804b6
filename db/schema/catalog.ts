import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AccountId, ProductId } from "#app/domain/ids.ts";
import { accounts } from "./accounts.ts";
import { cents, createdAt, primaryId } from "./columns.ts";

/** What an account sells. One row is one sellable item, found again by its SKU. */
export const products = pgTable(
  "products",
  {
    id: primaryId<ProductId>(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    sku: text("sku").notNull(),
    category: text("category").notNull(),
    priceCents: cents("price_cents").notNull(),
    /** Unknown is null, not 0. */
    inventory: bigint("inventory", { mode: "number" }),
    imageUrl: text("image_url"),
    description: text("description"),
    brand: text("brand"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("products_id_account").on(table.id, table.accountId),
    uniqueIndex("products_account_sku").on(table.accountId, table.sku),
    index("products_account_name").on(table.accountId, table.name, table.id),
    check("products_numbers", sql`${table.priceCents} >= 0 and ${table.inventory} >= 0`),
  ],
);
