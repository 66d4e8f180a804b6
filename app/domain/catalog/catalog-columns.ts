import type { Product } from "./product-rows.server.ts";

/**
 * The columns of our own template, in its order. An export has them too, so that it can be changed and sent back.
 * The first four are required.
 */
export const templateColumns = [
  { name: "name", of: ({ name }) => name },
  { name: "sku", of: ({ sku }) => sku },
  { name: "category", of: ({ category }) => category },
  { name: "price", of: ({ priceCents }) => (priceCents / 100).toFixed(2) },
  { name: "description", of: ({ description }) => description ?? "" },
  { name: "inventory", of: ({ inventory }) => inventory ?? "" },
  { name: "image_url", of: ({ imageUrl }) => imageUrl ?? "" },
  { name: "brand", of: ({ brand }) => brand ?? "" },
  { name: "group", of: ({ groupKey }) => groupKey ?? "" },
] as const satisfies readonly { name: string; of: (product: Product) => string | number }[];
