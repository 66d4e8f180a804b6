import type { Product } from "./product-rows.server.ts";

/**
 * The columns of our own template, in order. Exports have the same columns, so that they can be edited and uploaded.
 * The first four are required.
 */
export const templateColumns = [
  { name: "name", value: ({ name }) => name },
  { name: "sku", value: ({ sku }) => sku },
  { name: "category", value: ({ category }) => category },
  { name: "price", value: ({ priceCents }) => (priceCents / 100).toFixed(2) },
  { name: "description", value: ({ description }) => description ?? "" },
  { name: "inventory", value: ({ inventory }) => inventory ?? "" },
  { name: "image_url", value: ({ imageUrl }) => imageUrl ?? "" },
  { name: "brand", value: ({ brand }) => brand ?? "" },
  { name: "group", value: ({ groupKey }) => groupKey ?? "" },
  { name: "status", value: ({ listingStatus }) => listingStatus },
] as const satisfies readonly { name: string; value: (product: Product) => string | number }[];
