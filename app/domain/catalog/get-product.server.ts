import { and, eq } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { ProductId } from "../ids.ts";
import { productColumns, toProduct } from "./product-rows.server.ts";

/** Returns one of the account's products with all its fields. Throws `not_found`. */
export async function getProduct(ctx: Ctx<TenantActor>, id: ProductId) {
  const [row] = await ctx.db
    .select({ ...productColumns, createdAt: products.createdAt, updatedAt: products.updatedAt })
    .from(products)
    .where(and(eq(products.id, id), eq(products.accountId, ctx.actor.accountId)));
  if (!row) throw notFound("Product");
  const { createdAt, updatedAt } = row;
  return { ...toProduct(row), createdAt, updatedAt };
}
