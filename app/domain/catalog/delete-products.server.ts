import { and, eq, not, type SQL, sql } from "drizzle-orm";
import { campaigns, products } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import { hasUnsentChangesAfter } from "../campaigns/unsent-changes.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import type { ProductId } from "../ids.ts";
import { inLongTransaction, inTransaction } from "../transaction.server.ts";
import { type ProductSelection, whereSelected } from "./product-filter.server.ts";
import { areAnyInUse, isInUse, listProductBlockingCampaigns } from "./product-use.server.ts";

/**
 * Deletes one product and returns its name. Throws `not_found`, and `invalid_transition` while a campaign of
 * `listProductBlockingCampaigns` shows it.
 */
export async function deleteProduct(ctx: Ctx<TenantActor>, { id }: { id: ProductId }): Promise<{ name: string }> {
  return inTransaction(ctx, async (tx) => {
    const own = and(eq(products.id, id), eq(products.accountId, tx.actor.accountId));
    const [row] = await tx.db
      .select({ name: products.name, sku: products.sku })
      .from(products)
      .where(own)
      .for("update");
    if (!row) throw notFound("Product");
    const [campaign] = await listProductBlockingCampaigns(tx, id);
    if (campaign) throw inUse(campaign.name);
    await deleteWithDraftCleanup(tx, own);
    await recordAudit(tx, {
      action: "product.deleted",
      entity: "product",
      entityId: id,
      accountId: tx.actor.accountId,
      before: row,
    });
    return { name: row.name };
  });
}

/**
 * Deletes the selected products that no campaign shows and returns their number; `kept` is the number of those that
 * campaigns show.
 */
export async function deleteProducts(
  ctx: Ctx<TenantActor>,
  selection: ProductSelection,
): Promise<{ deleted: number; kept: number }> {
  return inLongTransaction(ctx, async (tx) => {
    const selected = whereSelected(tx, selection);
    const unused = and(selected, not(isInUse(tx)));
    const deleted = await deleteWithDraftCleanup(tx, unused);
    const kept = await tx.db.$count(products, selected);
    if (deleted === 0) return { deleted, kept };
    await recordAudit(tx, {
      action: "products.deleted",
      entity: "account",
      entityId: tx.actor.accountId,
      accountId: tx.actor.accountId,
      after: { products: deleted, ...selection },
    });
    return { deleted, kept };
  });
}

/**
 * Deletes products, removes them from the drafts of the account's campaigns and returns their number. Waits for a
 * campaign that is being sent with one of the products at the same time and then rolls the deletion back, so that
 * publishers see what they were asked to approve.
 */
async function deleteWithDraftCleanup(ctx: Ctx<TenantActor>, which: SQL | undefined): Promise<number> {
  const deleted = await ctx.db.delete(products).where(which).returning({ id: products.id });
  await removeFromDrafts(ctx);
  const ids = deleted.map(({ id }) => id);
  if (await areAnyInUse(ctx, ids)) {
    throw new DomainError("invalid_transition", "A campaign just started using this product. Try again.");
  }
  return ids.length;
}

async function removeFromDrafts(ctx: Ctx<TenantActor>): Promise<void> {
  // A product is looked up by its key, whatever the planner knows of the catalog.
  const exists = sql`coalesce((select ${products.accountId} from ${products} where ${products.id} = chosen) = ${campaigns.advertiserId}, false)`;
  const remaining = sql`(select coalesce(array_agg(chosen order by place), '{}') from unnest(${campaigns.productIds}) with ordinality as list(chosen, place) where ${exists})`;
  await ctx.db
    .update(campaigns)
    .set({
      productIds: remaining,
      hasUnsentChanges: hasUnsentChangesAfter({ productIds: remaining }),
      updatedAt: ctx.clock(),
    })
    .where(
      and(
        eq(campaigns.advertiserId, ctx.actor.accountId),
        // The same expressions as in the index.
        sql`${campaigns.productIds} <> '{}' and ${campaigns.status} <> 'completed'`,
        sql`exists (select from unnest(${campaigns.productIds}) as chosen where not ${exists})`,
      ),
    );
}

function inUse(campaign: string): DomainError {
  return new DomainError(
    "invalid_transition",
    `The campaign “${campaign}” uses this product. You can delete it once no approved or pending campaign uses it.`,
  );
}
