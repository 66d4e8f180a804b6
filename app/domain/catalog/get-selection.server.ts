import { and, asc, inArray } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type ProductSelection, whereSelected } from "./product-filter.server.ts";
import { usedProducts } from "./product-use.server.ts";

const named = 8;

/** How many products were chosen, how many of them campaigns show, and the names of the first. */
export async function getSelection(ctx: Ctx<TenantActor>, selection: ProductSelection) {
  const chosen = whereSelected(ctx, selection);
  const [count, used, first] = await Promise.all([
    ctx.db.$count(products, chosen),
    ctx.db.$count(products, and(chosen, inArray(products.id, usedProducts(ctx)))),
    ctx.db
      .select({ id: products.id, name: products.name, sku: products.sku })
      .from(products)
      .where(chosen)
      .orderBy(asc(products.name), asc(products.id))
      .limit(named),
  ]);
  return { count, used, first };
}
