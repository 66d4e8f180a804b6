import { z } from "zod";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { countProducts, type ListedProduct, listProducts } from "#app/domain/catalog/list-products.server.ts";
import { productLimits, productSorts, productStatuses } from "#app/domain/catalog/product.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import type { ProductSearch } from "#app/screens/shared/products/product-search.ts";
import {
  cursorParam,
  listStateParams,
  pageOrFirstPage,
  parseSearchParams,
  searchTextParam,
} from "#app/web/search-params.server.ts";

const searchSchema = z.object({
  q: searchTextParam,
  category: z
    .string()
    // Characters, as in the limit of a category, of which an emoji is one.
    .refine((text) => [...text].length <= productLimits.category)
    .transform((text) => text.replaceAll("\0", "").trim() || undefined)
    .optional()
    .catch(undefined),
  status: z.enum(["all", ...productStatuses]).catch("all"),
  sort: z.enum(productSorts).catch("name"),
  cursor: cursorParam,
  ...listStateParams,
});
const pageSize = 25;

/** Parses the catalog's search parameters. */
export function parseProductSearch(request: Request): ProductSearch {
  return parseSearchParams(request, searchSchema);
}

/** Returns the filter of a search. */
export function toProductFilter({ q, category, status }: Pick<ProductSearch, "q" | "category" | "status">) {
  return { q, category, status: status === "all" ? undefined : status };
}

/** Loads the page of products that the URL selects, with their count and the categories. */
export async function loadProducts(ctx: Ctx<TenantActor>, request: Request) {
  const search = parseProductSearch(request);
  const filter = toProductFilter(search);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const query = { ...filter, sort: search.sort, cursor: search.cursor, limit: pageSize };
  const [page, all, found, categories] = await inSnapshot(ctx, (tx) =>
    Promise.all([
      pageOrFirstPage((one) => listProducts(tx, one), query),
      countProducts(tx, {}),
      isFiltered ? countProducts(tx, filter) : undefined,
      listCategories(tx),
    ]),
  );
  return { search, page: { ...page, rows: page.rows.map(toListItem) }, all, matching: found ?? all, categories };
}

export type ProductView = ReturnType<typeof toListItem>;

/** Returns only the fields that the list renders: each is sent twice, in the HTML and in the hydration data. */
function toListItem({ id, name, sku, category, priceCents, inventory, imageUrl, description, status }: ListedProduct) {
  const short = description && description.length > 160 ? `${[...description].slice(0, 160).join("")}…` : description;
  return { id, name, sku, category, priceCents, inventory, hasImage: Boolean(imageUrl), description: short, status };
}
