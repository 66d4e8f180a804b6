import { and, eq, ilike, inArray, sql } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";
import { likePattern } from "../search.ts";
import { lowStockThreshold, type ProductStatus } from "./product.ts";

/** The filter of a product list; `q` is searched in names and SKUs. `listed`: only those that campaigns can use. */
export type ProductFilter = { q?: string; category?: string; status?: ProductStatus; listed?: boolean };

/** The products that an action applies to: the selected ones, or all that match a filter. */
export type ProductSelection = { ids: readonly ProductId[] } | { matching: ProductFilter };

/** The condition for the account's products that match the filter. */
export function whereProducts(ctx: Ctx<TenantActor>, { q, category, status, listed }: ProductFilter) {
  return and(
    eq(products.accountId, ctx.actor.accountId),
    // The same expression as in the index, so that the index is used.
    q ? ilike(sql`(${products.name} || E'\n' || ${products.sku})`, likePattern(q)) : undefined,
    category ? eq(products.category, category) : undefined,
    whereStatus(status),
    listed ? isActiveListing : undefined,
  );
}

export function whereSelected(ctx: Ctx<TenantActor>, selection: ProductSelection) {
  if ("matching" in selection) return whereProducts(ctx, selection.matching);
  return and(eq(products.accountId, ctx.actor.accountId), inArray(products.id, [...selection.ids]));
}

/** The condition for products that can be added to campaigns. */
const isActiveListing = eq(products.listingStatus, "active");

/** Low stock is a known inventory below 10; the condition implies the one of its partial index. */
function whereStatus(status: ProductStatus | undefined) {
  if (status === "draft" || status === "archived") return eq(products.listingStatus, status);
  const low = sql`${products.inventory} < ${sql.raw(String(lowStockThreshold))}`;
  if (status === "low_stock") return and(isActiveListing, low);
  return status === "active" ? and(isActiveListing, sql`coalesce(${low}, false) = false`) : undefined;
}
