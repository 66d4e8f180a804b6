import { and, asc, desc, getTableName, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { stockOrder } from "#db/schema/catalog.ts";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { clampPageLimit, decodeCursor, invalidCursor, type PageRequest, toPage } from "../page.ts";
import type { ProductSort } from "./product.ts";
import { type ProductFilter, whereProducts } from "./product-filter.server.ts";
import { productColumns, toProduct } from "./product-rows.server.ts";

type Order = { by: SQL; cast: SQL; descending: boolean; numeric?: true };

/** Each order has an index that starts with the account. `cast` is the SQL type of a cursor's value. */
const orders: Record<ProductSort, Order | undefined> = {
  newest: undefined,
  name: { by: sql`${products.name}`, cast: sql`text`, descending: false },
  price_low: { by: sql`${products.priceCents}`, cast: sql`bigint`, descending: false, numeric: true },
  price_high: { by: sql`${products.priceCents}`, cast: sql`bigint`, descending: true, numeric: true },
  stock_low: { by: stockOrder(products.inventory), cast: sql`bigint`, descending: false, numeric: true },
};

export type ListedProduct = Awaited<ReturnType<typeof listProducts>>["rows"][number];

/** Lists the account's products, by name by default. Keyset pages cost the same at any position. */
export async function listProducts(ctx: Ctx<TenantActor>, input: PageRequest & ProductFilter & { sort?: ProductSort }) {
  const limit = clampPageLimit(input);
  const list = getTableName(products);
  const position = input.cursor ? decodeCursor(input.cursor, list) : undefined;
  const order = orders[input.sort ?? "name"];
  if (position && order?.numeric && !/^\d{1,18}$/.test(position.value ?? "")) throw invalidCursor();
  const forwards = position?.direction !== "before";
  const down = (order?.descending ?? true) === forwards;
  const compare = sql.raw(down ? "<" : ">");
  const rows = await ctx.db
    .select({
      ...productColumns,
      sortValue: order ? sqlValue(z.string().nullable(), sql`${order.by}::text`) : sqlValue(z.null(), sql`null`),
    })
    .from(products)
    .where(
      and(
        whereProducts(ctx, input),
        position &&
          (order
            ? sql`(${order.by}, ${products.id}) ${compare} (${position.value ?? ""}::${order.cast}, ${position.id}::uuid)`
            : sql`${products.id} ${compare} ${position.id}::uuid`),
      ),
    )
    .orderBy(...(order ? [down ? desc(order.by) : asc(order.by)] : []), down ? desc(products.id) : asc(products.id))
    .limit(limit + 1);
  const page = toPage(rows, { list, limit, position, cursorKey: (row) => ({ value: row.sortValue, id: row.id }) });
  return { ...page, rows: page.rows.map(({ sortValue, ...row }) => toProduct(row)) };
}

/** Counts all products that match the filter of that list. */
export async function countProducts(ctx: Ctx<TenantActor>, filter: ProductFilter): Promise<number> {
  return ctx.db.$count(products, whereProducts(ctx, filter));
}
