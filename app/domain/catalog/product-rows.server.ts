import { products } from "#db/schema/index.ts";
import { invalidInput } from "../errors.ts";
import { asCents } from "../money.ts";
import { sqlState } from "../transaction.server.ts";
import { productStatus } from "./product.ts";
import type { ProductChanges } from "./product-payloads.ts";

export const productColumns = {
  id: products.id,
  name: products.name,
  sku: products.sku,
  category: products.category,
  priceCents: products.priceCents,
  inventory: products.inventory,
  imageUrl: products.imageUrl,
  description: products.description,
  brand: products.brand,
  groupKey: products.groupKey,
  listingStatus: products.listingStatus,
};

type Row = Pick<typeof products.$inferSelect, keyof typeof productColumns>;

/** A product as lists and pages show it; its status is derived from its listing status and inventory. */
export type Product = ReturnType<typeof toProduct>;

export function toProduct(row: Row) {
  return { ...row, priceCents: asCents(row.priceCents), status: productStatus(row) };
}

/** Maps a payload to product columns. Absent fields are undefined, so that their columns do not change. */
export function toProductColumns(input: ProductChanges) {
  return {
    name: input.name,
    sku: input.sku,
    category: input.category,
    priceCents: input.price,
    description: input.description,
    inventory: input.inventory,
    imageUrl: input.image,
    brand: input.brand,
    groupKey: input.group,
    listingStatus: input.listing_status,
  };
}

/** Returns the fields of a product for the audit log, named as in the JSON API. */
export function productAuditFields(row: Omit<Row, "id">) {
  return {
    name: row.name,
    sku: row.sku,
    category: row.category,
    price_cents: row.priceCents,
    description: row.description,
    inventory: row.inventory,
    image: row.imageUrl,
    brand: row.brand,
    group: row.groupKey,
    listing_status: row.listingStatus,
  };
}

/** Awaits a verb and turns a duplicate SKU of the account into an error of the SKU field. */
export async function rejectDuplicateSku<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw invalidInput({ sku: ["This SKU is already in use. Enter a different one."] });
  }
}
