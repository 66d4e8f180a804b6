import { and, eq } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { ProductId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { ProductChanges } from "./product-payloads.ts";
import { columnsOf, factsOf, refuseTakenSku } from "./product-rows.server.ts";

/**
 * Changes a product: absent means unchanged, null means cleared. Campaigns that show it show it as it then is.
 * Throws `not_found`, and `invalid_input` for a SKU that another one has.
 */
export async function changeProduct(
  ctx: Ctx<TenantActor>,
  { id, changes }: { id: ProductId; changes: ProductChanges },
): Promise<void> {
  const { accountId } = ctx.actor;
  const own = and(eq(products.id, id), eq(products.accountId, accountId));
  await refuseTakenSku(
    inTransaction(ctx, async (tx) => {
      const [row] = await tx.db.select().from(products).where(own).for("no key update");
      if (!row) throw notFound("Product");
      const given = Object.entries(columnsOf(changes)).filter(([, value]) => value !== undefined);
      const changed = { ...row, ...Object.fromEntries(given) };
      const before = Object.entries(factsOf(row));
      const after = Object.entries(factsOf(changed));
      const differs = before.map(([, value], index) => value !== after[index]?.[1]);
      if (!differs.includes(true)) return;
      await tx.db
        .update(products)
        .set({ ...columnsOf(changes), updatedAt: tx.clock() })
        .where(own);
      await recordAudit(tx, {
        action: "product.changed",
        entity: "product",
        entityId: id,
        accountId,
        before: Object.fromEntries(before.filter((_, index) => differs[index])),
        after: Object.fromEntries(after.filter((_, index) => differs[index])),
      });
    }),
  );
}
