import { keepApostrophe } from "./apostrophes.ts";
import type { Product } from "./product-rows.server.ts";

/**
 * The columns of our own template, in order. Exports have the same columns, so that they can be edited and uploaded.
 * The first four are required.
 */
export const templateColumns = [
  { name: "name", value: ({ name }) => keepApostrophe(name) },
  { name: "sku", value: ({ sku }) => keepApostrophe(sku) },
  { name: "category", value: ({ category }) => keepApostrophe(category) },
  { name: "price", value: ({ priceCents }) => (priceCents / 100).toFixed(2) },
  { name: "description", value: ({ description }) => keepApostrophe(description ?? "") },
  { name: "inventory", value: ({ inventory }) => inventory ?? "" },
  { name: "image_url", value: ({ imageUrl }) => imageUrl ?? "" },
  { name: "brand", value: ({ brand }) => keepApostrophe(brand ?? "") },
  { name: "group", value: ({ groupKey }) => keepApostrophe(groupKey ?? "") },
  { name: "status", value: ({ listingStatus }) => listingStatus },
] as const satisfies readonly { name: string; value: (product: Product) => string | number }[];
