import type { ProductSort, ProductStatus } from "#app/domain/catalog/product.ts";
import { type ListState, setListState } from "#app/ui/table/list-state.tsx";

/** The catalog's search parameters. */
export type ProductSearch = {
  q?: string;
  category?: string;
  status: ProductStatus | "all";
  sort: ProductSort;
  cursor?: string;
} & ListState;

/** Returns the list's query string with these changes; a new search, filter or sort order starts at the first page. */
export function productQuery(search: ProductSearch, changes: Partial<ProductSearch> = {}): string {
  const { q, category, status, sort, cursor, ...state } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (category) query.set("category", category);
  if (status !== "all") query.set("status", status);
  if (sort !== "name") query.set("sort", sort);
  setListState(query, state);
  if (cursor) query.set("cursor", cursor);
  return query.size > 0 ? `?${query}` : "";
}
