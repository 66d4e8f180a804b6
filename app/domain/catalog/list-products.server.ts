import { and, asc, desc, eq, ilike, or, sql } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { toCents } from "../money.ts";
import { limitOf, type PageRequest, pageOf, readCursor } from "../page.ts";
import { likePattern } from "../search.ts";

/** The account's products by name; `q` searches name and SKU. */
export async function listProducts(ctx: Ctx<TenantActor>, input: PageRequest & { q?: string }) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const forwards = position?.direction !== "before";
  const order = forwards ? asc : desc;
  const rows = await ctx.db
    .select({
      id: products.id,
      name: products.name,
      sku: products.sku,
      category: products.category,
      priceCents: products.priceCents,
    })
    .from(products)
    .where(
      and(
        eq(products.accountId, ctx.actor.accountId),
        input.q ? or(ilike(products.name, likePattern(input.q)), ilike(products.sku, likePattern(input.q))) : undefined,
        position &&
          sql`(${products.name}, ${products.id}) ${sql.raw(forwards ? ">" : "<")} (${position.value ?? ""}, ${position.id}::uuid)`,
      ),
    )
    .orderBy(order(products.name), order(products.id))
    .limit(limit + 1);
  const page = pageOf(rows, { limit, position, place: (row) => ({ value: row.name, id: row.id }) });
  return { ...page, rows: page.rows.map((row) => ({ ...row, priceCents: toCents(row.priceCents) })) };
}
