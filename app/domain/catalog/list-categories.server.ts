import { asc, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";

const maxResults = 300;

/**
 * Lists the categories of the account's products with their product counts, by name; of more than 300 categories, the
 * largest.
 */
export async function listCategories(ctx: Ctx<TenantActor>): Promise<{ category: string; products: number }[]> {
  const counted = ctx.db
    .select({ category: products.category, products: sqlValue(z.number(), sql`count(*)::int`).as("products") })
    .from(products)
    .where(eq(products.accountId, ctx.actor.accountId))
    .groupBy(products.category)
    .orderBy(desc(sql`count(*)`))
    .limit(maxResults)
    .as("counted");
  return ctx.db.select().from(counted).orderBy(asc(counted.category));
}
