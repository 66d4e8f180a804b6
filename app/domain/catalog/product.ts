/** The vocabulary of the catalogue. Pure. */
export const productStatuses = ["active", "low_stock"] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** Fewer pieces than this are low stock. */
export const lowStockBelow = 10;

/** Low Stock needs a count: an unknown one says nothing. */
export function productStatusOf(inventory: number | null): ProductStatus {
  return inventory !== null && inventory < lowStockBelow ? "low_stock" : "active";
}
