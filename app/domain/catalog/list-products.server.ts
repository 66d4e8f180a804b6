import { and, sql } from "drizzle-orm";
import { stockOrder } from "#db/schema/catalog.ts";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { PageRequest } from "../page.ts";
import { type SortOrder, sortedPage, type TimeOrder } from "../sorted-page.server.ts";
import type { ProductSort } from "./product.ts";
import { type ProductFilter, whereProducts } from "./product-filter.server.ts";
import { productColumns, toProduct } from "./product-rows.server.ts";

/** Each order has an index that starts with the account. */
const orders: Record<ProductSort, SortOrder | TimeOrder> = {
  newest: "newest",
  name: { by: sql`${products.name}`, type: "text", descending: false },
  price_low: { by: sql`${products.priceCents}`, type: "bigint", descending: false },
  price_high: { by: sql`${products.priceCents}`, type: "bigint", descending: true },
  stock_low: { by: stockOrder(products.inventory), type: "bigint", descending: false },
};

export type ListedProduct = Awaited<ReturnType<typeof listProducts>>["rows"][number];

/** Lists the account's products, by name by default. Keyset pages cost the same at any position. */
export async function listProducts(ctx: Ctx<TenantActor>, input: PageRequest & ProductFilter & { sort?: ProductSort }) {
  const keyset = sortedPage(input, { order: orders[input.sort ?? "name"], id: products.id });
  const rows = await ctx.db
    .select({ ...productColumns, sortValue: keyset.sortValue })
    .from(products)
    .where(and(whereProducts(ctx, input), keyset.where))
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map(({ sortValue, ...row }) => toProduct(row)) };
}

/** Counts all products that match the filter of that list. */
export async function countProducts(ctx: Ctx<TenantActor>, filter: ProductFilter): Promise<number> {
  return ctx.db.$count(products, whereProducts(ctx, filter));
}
