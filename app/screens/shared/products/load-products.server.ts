import { z } from "zod";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { countProducts, type ListedProduct, listProducts } from "#app/domain/catalog/list-products.server.ts";
import { productLimits, productSorts, productStatuses } from "#app/domain/catalog/product.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { cursorParam, pageOrFirst, queryParam, readSearch } from "#app/web/search-params.server.ts";
import type { ProductSearch } from "./product-search.ts";

const searchSchema = z.object({
  q: queryParam,
  category: z
    .string()
    .max(productLimits.category)
    .transform((text) => text.replaceAll("\0", "").trim() || undefined)
    .optional()
    .catch(undefined),
  status: z.enum(["all", ...productStatuses]).catch("all"),
  sort: z.enum(productSorts).catch("name"),
  cursor: cursorParam,
});
const pageSize = 25;

/** What the address asks of the catalogue. */
export function searchOf(request: Request): ProductSearch {
  return readSearch(request, searchSchema);
}

/** The filter in it. */
export function filterOf({ q, category, status }: Pick<ProductSearch, "q" | "category" | "status">) {
  return { q, category, status: status === "all" ? undefined : status };
}

/** The page of products that the address asks for, how many there are of it, and the categories. */
export async function loadProducts(ctx: Ctx<TenantActor>, request: Request) {
  const search = searchOf(request);
  const filter = filterOf(search);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const [page, all, found, categories] = await Promise.all([
    pageOrFirst((asked) => listProducts(ctx, asked), {
      ...filter,
      sort: search.sort,
      cursor: search.cursor,
      limit: pageSize,
    }),
    countProducts(ctx, {}),
    isFiltered ? countProducts(ctx, filter) : undefined,
    listCategories(ctx),
  ]);
  return { search, page: { ...page, rows: page.rows.map(shownPart) }, all, matching: found ?? all, categories };
}

export type ShownProduct = ReturnType<typeof shownPart>;

/** What the list shows: all of it is sent to the browser twice, as the page and as its data. */
function shownPart({ id, name, sku, category, priceCents, inventory, imageUrl, description, status }: ListedProduct) {
  const short = description && description.length > 160 ? `${[...description].slice(0, 160).join("")}…` : description;
  return { id, name, sku, category, priceCents, inventory, imageUrl, description: short, status };
}
