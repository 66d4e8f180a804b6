/** Enumerations, labels and limits of the catalog. Pure. */

/** Whether the store sells the product: only active ones can be added to campaigns. */
export const listingStatuses = ["active", "draft", "archived"] as const;
export type ListingStatus = (typeof listingStatuses)[number];

/** What lists show: the listing status, and of active products whether their stock is low. */
export const productStatuses = ["active", "low_stock", "draft", "archived"] as const;
export type ProductStatus = (typeof productStatuses)[number];
export const productStatusLabels: Record<ProductStatus, string> = {
  active: "Active",
  low_stock: "Low Stock",
  draft: "Draft",
  archived: "Archived",
};

/** Fewer units than this are low stock. */
export const lowStockThreshold = 10;

/** An unknown inventory is not low stock. */
export function productStatus({
  inventory,
  listingStatus,
}: {
  inventory: number | null;
  listingStatus: ListingStatus;
}): ProductStatus {
  if (listingStatus !== "active") return listingStatus;
  return inventory !== null && inventory < lowStockThreshold ? "low_stock" : "active";
}

/** The sort orders of the product list. */
export const productSorts = ["name", "newest", "price_low", "price_high", "stock_low"] as const;
export type ProductSort = (typeof productSorts)[number];

/** The limits of a product's fields: characters, units, cents. */
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

/**
 * The number of products that can be selected in a list and changed together. An action on all search results has no
 * such limit.
 */
export const maxSelectedProducts = 500;
