import { and, eq, ilike, inArray, sql } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";
import { likePattern } from "../search.ts";
import { lowStockBelow, type ProductStatus } from "./product.ts";

/** What a list of products is narrowed to; `q` is searched for in names and SKUs. */
export type ProductFilter = { q?: string; category?: string; status?: ProductStatus };

/** The products that something is done to: those that were ticked, or all that a filter finds. */
export type ProductSelection = { ids: readonly ProductId[] } | { matching: ProductFilter };

/** The account's products that the filter finds. */
export function whereProducts(ctx: Ctx<TenantActor>, { q, category, status }: ProductFilter) {
  return and(
    eq(products.accountId, ctx.actor.accountId),
    // The expression of the index, so that it is used.
    q ? ilike(sql`(${products.name} || E'\n' || ${products.sku})`, likePattern(q)) : undefined,
    category ? eq(products.category, category) : undefined,
    whereStatus(status),
  );
}

export function whereSelected(ctx: Ctx<TenantActor>, selection: ProductSelection) {
  if ("matching" in selection) return whereProducts(ctx, selection.matching);
  return and(eq(products.accountId, ctx.actor.accountId), inArray(products.id, [...selection.ids]));
}

/** Low stock is a known inventory under 10; the index on it is asked in the same words. */
function whereStatus(status: ProductStatus | undefined) {
  const low = sql`${products.inventory} < ${sql.raw(String(lowStockBelow))}`;
  if (status === "low_stock") return low;
  return status === "active" ? sql`coalesce(${low}, false) = false` : undefined;
}
