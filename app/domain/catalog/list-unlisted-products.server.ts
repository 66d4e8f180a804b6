import { and, asc, inArray, ne } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import type { ProductId } from "../ids.ts";

/**
 * Returns the names of the products that are drafts or archived in the catalog, so that a campaign with them can't be
 * sent. The ids are those of a stored campaign, which were validated as its owner's.
 */
export async function listUnlistedProducts(ctx: Ctx, ids: readonly ProductId[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await ctx.db
    .select({ name: products.name })
    .from(products)
    .where(and(inArray(products.id, [...ids]), ne(products.listingStatus, "active")))
    .orderBy(asc(products.name));
  return found.map(({ name }) => name);
}
