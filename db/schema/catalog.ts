import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, check, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type ListingStatus, listingStatuses } from "#app/domain/catalog/product.ts";
import type { AccountId, ProductId } from "#app/domain/ids.ts";
import { cents, createdAt, instant, oneOf, primaryId, searchKey } from "#db/columns.ts";
import { accounts } from "./accounts.ts";

/** A product of an account. One row is one sellable item, identified by its SKU. */
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
    /** Null means unknown, which is not 0. */
    inventory: bigint("inventory", { mode: "number" }),
    imageUrl: text("image_url"),
    description: text("description"),
    brand: text("brand"),
    /** The store's key of the product that this row is a variant of. */
    groupKey: text("group_key"),
    /** Whether the store sells it. */
    listingStatus: text("listing_status").$type<ListingStatus>().notNull().default("active"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    // For lists, newest first, and for references to a product together with its owner.
    unique("products_account_id").on(table.accountId, table.id),
    uniqueIndex("products_account_sku").on(table.accountId, table.sku),
    index("products_account_name").on(table.accountId, table.name, table.id),
    index("products_name_prefix").on(table.accountId, searchKey(table.name), table.id),
    index("products_account_category").on(table.accountId, table.category, table.name, table.id),
    index("products_account_price").on(table.accountId, table.priceCents, table.id),
    index("products_account_inventory").on(table.accountId, stockOrder(table.inventory), table.id),
    index("products_low_stock").on(table.accountId, table.name, table.id).where(sql`${table.inventory} < 10`),
    check(
      "products_numbers",
      sql`${table.priceCents} between 0 and 1000000000 and ${table.inventory} between 0 and 1000000000`,
    ),
    oneOf("products_listing_status", table.listingStatus, listingStatuses),
    check("products_named", sql`${table.name} <> '' and ${table.sku} <> '' and ${table.category} <> ''`),
  ],
);

/** Sorts unknown inventory after all known counts. */
export function stockOrder(inventory: AnyPgColumn) {
  return sql`coalesce(${inventory}, 9007199254740991)`;
}
