/** The vocabulary of the catalogue. Pure. */
export const productStatuses = ["active", "low_stock"] as const;
export type ProductStatus = (typeof productStatuses)[number];
export const productStatusLabels: Record<ProductStatus, string> = { active: "Active", low_stock: "Low Stock" };

/** Fewer pieces than this are low stock. */
export const lowStockBelow = 10;

/** Low Stock needs a count: an unknown one says nothing. */
export function productStatusOf(inventory: number | null): ProductStatus {
  return inventory !== null && inventory < lowStockBelow ? "low_stock" : "active";
}

/** How the list can be sorted. */
export const productSorts = ["name", "newest", "price_low", "price_high", "stock_low"] as const;
export type ProductSort = (typeof productSorts)[number];

/** What a product may say at most: characters, pieces, cents. */
export const productLimits = {
  name: 255,
  sku: 100,
  category: 255,
  description: 5_000,
  image: 2_048,
  brand: 120,
  group: 255,
  inventory: 1_000_000_000,
  priceCents: 1_000_000_000,
} as const;

/** So many can be ticked in a list and changed together. Without ticks, all that match a search can be. */
export const mostSelected = 500;
