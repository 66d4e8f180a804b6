import { and, asc } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type ProductSelection, whereSelected } from "./product-filter.server.ts";
import { isInUse } from "./product-use.server.ts";

const previewCount = 8;

/** Returns the number of selected products, how many of them campaigns show, and the names of the first ones. */
export async function getSelectionSummary(ctx: Ctx<TenantActor>, selection: ProductSelection) {
  const selected = whereSelected(ctx, selection);
  const [count, used, first] = await Promise.all([
    ctx.db.$count(products, selected),
    ctx.db.$count(products, and(selected, isInUse(ctx))),
    ctx.db
      .select({ id: products.id, name: products.name, sku: products.sku })
      .from(products)
      .where(selected)
      .orderBy(asc(products.name), asc(products.id))
      .limit(previewCount),
  ]);
  return { count, used, first };
}
