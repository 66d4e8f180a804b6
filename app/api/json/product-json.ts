import { z } from "zod";
import { wire } from "#app/api/wire.ts";
import { listingStatuses, productStatuses } from "#app/domain/catalog/product.ts";
import type { Product } from "#app/domain/catalog/product-rows.server.ts";
import { centsToDollars } from "#app/domain/money.ts";

export const productSchema = z.object({
  id: wire.id,
  name: z.string(),
  sku: z.string(),
  category: z.string(),
  price: wire.dollars,
  inventory: wire.count.nullable().describe("Null when unknown"),
  status: z.enum(productStatuses).describe("The listing status; low_stock: active with a known inventory below 10"),
  listing_status: z.enum(listingStatuses).describe("Only active products can be added to campaigns"),
  image: z.string().nullable(),
  description: z.string().nullable(),
  brand: z.string().nullable(),
  group: z.string().nullable().describe("Product name in the store that this variant belongs to"),
});

export function productJson(product: Product): z.output<typeof productSchema> {
  return {
    id: product.id,
    name: product.name,
    sku: product.sku,
    category: product.category,
    price: centsToDollars(product.priceCents),
    inventory: product.inventory,
    status: product.status,
    listing_status: product.listingStatus,
    image: product.imageUrl,
    description: product.description,
    brand: product.brand,
    group: product.groupKey,
  };
}
