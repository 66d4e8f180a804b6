import { products } from "#db/schema/index.ts";
import { invalidInput } from "../errors.ts";
import { toCents } from "../money.ts";
import { sqlState } from "../transaction.server.ts";
import { productStatusOf } from "./product.ts";
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
};

type Row = Pick<typeof products.$inferSelect, keyof typeof productColumns>;

/** A product as lists and pages show it; its status follows from its inventory. */
export type Product = ReturnType<typeof toProduct>;

export function toProduct(row: Row) {
  return { ...row, priceCents: toCents(row.priceCents), status: productStatusOf(row.inventory) };
}

/** The columns that a payload names; those it does not name are undefined, which leaves them as they are. */
export function columnsOf(input: ProductChanges) {
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
  };
}

/** What a product says, named as on the wire, for the audit trail. */
export function factsOf(row: Omit<Row, "id">) {
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
  };
}

/** What the verb answers; a SKU that another product of the account has is an error of that field. */
export async function refuseTakenSku<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw invalidInput({ sku: ["Another product has this SKU"] });
  }
}
