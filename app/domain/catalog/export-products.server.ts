import { and, asc, eq, gt } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { products } from "#db/schema/index.ts";
import type { Ctx, ReadCtx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";
import { readStale } from "../stale-reads.server.ts";
import { type Product, productColumns, toProduct } from "./product-rows.server.ts";

const batchSize = 2_000;
/** The limit for one batch, in milliseconds. */
const timeoutMs = 20_000;

/** Exports the whole catalog in the order of creation, in batches: each is read when the caller requests it. */
export async function* exportProducts(ctx: Ctx<TenantActor>): AsyncGenerator<Product[]> {
  let last: ProductId | undefined;
  do {
    const rows = await readStale(withDeadline(ctx, timeoutMs), (reading) => readBatch(reading, last));
    if (rows.length > 0) yield rows.map(toProduct);
    last = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  } while (last);
}

async function readBatch(ctx: ReadCtx<TenantActor>, after: ProductId | undefined) {
  return ctx.db
    .select(productColumns)
    .from(products)
    .where(and(eq(products.accountId, ctx.actor.accountId), after && gt(products.id, after)))
    .orderBy(asc(products.id))
    .limit(batchSize);
}
