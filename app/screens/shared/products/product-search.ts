import type { ProductSort, ProductStatus } from "#app/domain/catalog/product.ts";

/** What the catalogue is asked for, as it stands in the address. */
export type ProductSearch = {
  q?: string;
  category?: string;
  status: ProductStatus | "all";
  sort: ProductSort;
  cursor?: string;
};

/** The query of the list with these changes; another search, filter or order begins at its first page. */
export function productQuery(search: ProductSearch, changes: Partial<ProductSearch> = {}): string {
  const { q, category, status, sort, cursor } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (category) query.set("category", category);
  if (status !== "all") query.set("status", status);
  if (sort !== "name") query.set("sort", sort);
  if (cursor) query.set("cursor", cursor);
  return query.size > 0 ? `?${query}` : "";
}
