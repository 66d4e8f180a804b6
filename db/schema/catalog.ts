import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, check, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AccountId, ProductId } from "#app/domain/ids.ts";
import { accounts } from "./accounts.ts";
import { cents, createdAt, instant, primaryId } from "./columns.ts";

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
    /** What the shop calls the product that this is one variant of. */
    groupKey: text("group_key"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    // Newest first, and what other tables refer to a product by, together with its owner.
    unique("products_account_id").on(table.accountId, table.id),
    uniqueIndex("products_account_sku").on(table.accountId, table.sku),
    index("products_account_name").on(table.accountId, table.name, table.id),
    index("products_account_category").on(table.accountId, table.category, table.name, table.id),
    index("products_account_price").on(table.accountId, table.priceCents, table.id),
    index("products_account_inventory").on(table.accountId, stockOrder(table.inventory), table.id),
    index("products_low_stock").on(table.accountId, table.name, table.id).where(sql`${table.inventory} < 10`),
    check(
      "products_numbers",
      sql`${table.priceCents} between 0 and 1000000000 and ${table.inventory} between 0 and 1000000000`,
    ),
    check("products_named", sql`${table.name} <> '' and ${table.sku} <> '' and ${table.category} <> ''`),
  ],
);

/** Sorts what is unknown after everything that is counted. */
export function stockOrder(inventory: AnyPgColumn) {
  return sql`coalesce(${inventory}, 9007199254740991)`;
}
