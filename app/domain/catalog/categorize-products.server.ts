import { and, ne } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { inLongTransaction } from "../transaction.server.ts";
import { type ProductSelection, whereSelected } from "./product-filter.server.ts";

/** Moves products into a category. Products already in it do not change. Returns the number of products moved. */
export async function categorizeProducts(
  ctx: Ctx<TenantActor>,
  { selection, category }: { selection: ProductSelection; category: string },
): Promise<{ changed: number }> {
  return inLongTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const moved = await tx.db
      .update(products)
      .set({ category, updatedAt: tx.clock() })
      .where(and(whereSelected(tx, selection), ne(products.category, category)));
    if (moved.count === 0) return { changed: 0 };
    await recordAudit(tx, {
      action: "products.categorized",
      entity: "account",
      entityId: accountId,
      accountId,
      after: { category, products: moved.count, ...selection },
    });
    return { changed: moved.count };
  });
}
