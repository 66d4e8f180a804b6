import { z } from "zod";
import { productStatuses } from "#app/domain/catalog/product.ts";
import type { Product } from "#app/domain/catalog/product-rows.server.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { wire } from "./wire.ts";

export const productSchema = z.object({
  id: wire.id,
  name: z.string(),
  sku: z.string(),
  category: z.string(),
  price: wire.dollars,
  inventory: wire.count.nullable().describe("Null when unknown"),
  status: z.enum(productStatuses).describe("low_stock: an inventory that is known and under 10"),
  image: z.string().nullable(),
  description: z.string().nullable(),
  brand: z.string().nullable(),
  group: z.string().nullable().describe("What the shop calls the product that this is one variant of"),
});

export function productJson(product: Product): z.output<typeof productSchema> {
  return {
    id: product.id,
    name: product.name,
    sku: product.sku,
    category: product.category,
    price: dollarsOf(product.priceCents),
    inventory: product.inventory,
    status: product.status,
    image: product.imageUrl,
    description: product.description,
    brand: product.brand,
    group: product.groupKey,
  };
}
