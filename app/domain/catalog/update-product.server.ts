import { and, eq } from "drizzle-orm";
import { products } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { ProductId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { ProductChanges } from "./product-payloads.ts";
import { productAuditFields, rejectDuplicateSku, toProductColumns } from "./product-rows.server.ts";

/**
 * Updates a product: absent means unchanged, null means cleared. Campaigns that show the product show its new data.
 * Throws `not_found`, and `invalid_input` when another product has the same SKU.
 */
export async function updateProduct(
  ctx: Ctx<TenantActor>,
  { id, changes }: { id: ProductId; changes: ProductChanges },
): Promise<void> {
  const { accountId } = ctx.actor;
  const own = and(eq(products.id, id), eq(products.accountId, accountId));
  await rejectDuplicateSku(
    inTransaction(ctx, async (tx) => {
      const [row] = await tx.db.select().from(products).where(own).for("no key update");
      if (!row) throw notFound("Product");
      const assigned = Object.entries(toProductColumns(changes)).filter(([, value]) => value !== undefined);
      const changed = { ...row, ...Object.fromEntries(assigned) };
      const before = Object.entries(productAuditFields(row));
      const after = Object.entries(productAuditFields(changed));
      const differs = before.map(([, value], index) => value !== after[index]?.[1]);
      if (!differs.includes(true)) return;
      await tx.db
        .update(products)
        .set({ ...toProductColumns(changes), updatedAt: tx.clock() })
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
