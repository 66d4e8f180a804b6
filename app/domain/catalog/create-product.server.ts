import { products } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { newId, type ProductId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { NewProduct } from "./product-payloads.ts";
import { columnsOf, factsOf, refuseTakenSku } from "./product-rows.server.ts";

/** Adds a product to the account's catalogue. Throws `invalid_input` for a SKU that another one has. */
export async function createProduct(ctx: Ctx<TenantActor>, input: NewProduct): Promise<{ id: ProductId }> {
  const id = newId<ProductId>();
  const { accountId } = ctx.actor;
  const made = { ...columnsOf(input), ...requiredOf(input) };
  const now = ctx.clock();
  await refuseTakenSku(
    inTransaction(ctx, async (tx) => {
      const [row] = await tx.db
        .insert(products)
        .values({ id, accountId, ...made, createdAt: now, updatedAt: now })
        .returning();
      if (!row) throw new Error("a product that was inserted has a row");
      await recordAudit(tx, {
        action: "product.created",
        entity: "product",
        entityId: id,
        accountId,
        after: factsOf(row),
      });
    }),
  );
  return { id };
}

function requiredOf({ name, sku, category, price }: NewProduct) {
  return { name, sku, category, priceCents: price };
}
