import { and, asc, desc, eq, ilike, or, sql } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { toCents } from "../money.ts";
import { limitOf, type PageRequest, pageOf, readCursor } from "../page.ts";
import { likePattern } from "../search.ts";
import { lowStockBelow, type ProductStatus, productStatusOf } from "./product.ts";

/** The account's products by name; `q` searches name and SKU. Low stock is a known inventory under 10. */
export async function listProducts(
  ctx: Ctx<TenantActor>,
  input: PageRequest & { q?: string; category?: string; status?: ProductStatus },
) {
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
      inventory: products.inventory,
      imageUrl: products.imageUrl,
      description: products.description,
      brand: products.brand,
    })
    .from(products)
    .where(
      and(
        eq(products.accountId, ctx.actor.accountId),
        input.q ? or(ilike(products.name, likePattern(input.q)), ilike(products.sku, likePattern(input.q))) : undefined,
        input.category ? eq(products.category, input.category) : undefined,
        input.status &&
          sql`coalesce(${products.inventory} < ${lowStockBelow}, false) = ${input.status === "low_stock"}`,
        position &&
          sql`(${products.name}, ${products.id}) ${sql.raw(forwards ? ">" : "<")} (${position.value ?? ""}, ${position.id}::uuid)`,
      ),
    )
    .orderBy(order(products.name), order(products.id))
    .limit(limit + 1);
  const page = pageOf(rows, { limit, position, place: (row) => ({ value: row.name, id: row.id }) });
  return { ...page, rows: page.rows.map(toListedProduct) };
}

export type ListedProduct = ReturnType<typeof toListedProduct>;

type Row = Pick<
  typeof products.$inferSelect,
  "id" | "name" | "sku" | "category" | "priceCents" | "inventory" | "imageUrl" | "description" | "brand"
>;

function toListedProduct(row: Row) {
  return { ...row, priceCents: toCents(row.priceCents), status: productStatusOf(row.inventory) };
}
