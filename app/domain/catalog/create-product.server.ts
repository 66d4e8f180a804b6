import { products } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { newId, type ProductId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { NewProduct } from "./product-payloads.ts";
import { productAuditFields, rejectDuplicateSku, toProductColumns } from "./product-rows.server.ts";

/**
 * Adds a product to the account's catalog. Throws `invalid_input` when another product has the same SKU, and
 * `invalid_transition` when the account is closed.
 */
export async function createProduct(ctx: Ctx<TenantActor>, input: NewProduct): Promise<{ id: ProductId }> {
  const id = newId<ProductId>();
  const { accountId } = ctx.actor;
  const columns = { ...toProductColumns(input), ...requiredColumns(input) };
  const now = ctx.clock();
  await rejectDuplicateSku(
    inTransaction(ctx, async (tx) => {
      await requireOpenAccount(tx, accountId);
      const [row] = await tx.db
        .insert(products)
        .values({ id, accountId, ...columns, createdAt: now, updatedAt: now })
        .returning();
      if (!row) throw new Error(`insert into products returned no row: ${id}`);
      await recordAudit(tx, {
        action: "product.created",
        entity: "product",
        entityId: id,
        accountId,
        after: productAuditFields(row),
      });
    }),
  );
  return { id };
}

function requiredColumns({ name, sku, category, price }: NewProduct) {
  return { name, sku, category, priceCents: price };
}
