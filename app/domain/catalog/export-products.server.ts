import { and, asc, eq, gt } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";
import { type Product, productColumns, toProduct } from "./product-rows.server.ts";

const rowsAtOnce = 2_000;
/** Of one of the pieces. In milliseconds. */
const deadline = 20_000;

/** The whole catalogue, in the order it was made in, piece by piece: each is read when the one before was taken. */
export async function* exportProducts(ctx: Ctx<TenantActor>): AsyncGenerator<Product[]> {
  let last: ProductId | undefined;
  do {
    const rows = await withDeadline(deadline, () => readPiece(ctx, last));
    if (rows.length > 0) yield rows.map(toProduct);
    last = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.id;
  } while (last);
}

function readPiece(ctx: Ctx<TenantActor>, after: ProductId | undefined) {
  return ctx.db
    .select(productColumns)
    .from(products)
    .where(and(eq(products.accountId, ctx.actor.accountId), after && gt(products.id, after)))
    .orderBy(asc(products.id))
    .limit(rowsAtOnce);
}
