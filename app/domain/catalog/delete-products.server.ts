import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import { campaigns, products } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import type { ProductId } from "../ids.ts";
import { inLongTransaction, inTransaction } from "../transaction.server.ts";
import { type ProductSelection, whereSelected } from "./product-filter.server.ts";
import { listUsingCampaigns, usedProducts } from "./product-use.server.ts";

/** Deletes one product. Throws `not_found`, and `invalid_transition` while a campaign of `listUsingCampaigns` shows it. */
export async function deleteProduct(ctx: Ctx<TenantActor>, { id }: { id: ProductId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const own = and(eq(products.id, id), eq(products.accountId, tx.actor.accountId));
    const [row] = await tx.db
      .select({ name: products.name, sku: products.sku })
      .from(products)
      .where(own)
      .for("update");
    if (!row) throw notFound("Product");
    const [campaign] = await listUsingCampaigns(tx, id);
    if (campaign) throw inUse(campaign.name);
    await withoutTrace(tx, () => tx.db.delete(products).where(own));
    await recordAudit(tx, {
      action: "product.deleted",
      entity: "product",
      entityId: id,
      accountId: tx.actor.accountId,
      before: row,
    });
  });
}

/** Deletes what no campaign shows, and answers how many that were; `kept` are those that campaigns show. */
export async function deleteProducts(
  ctx: Ctx<TenantActor>,
  selection: ProductSelection,
): Promise<{ deleted: number; kept: number }> {
  return inLongTransaction(ctx, async (tx) => {
    const chosen = whereSelected(tx, selection);
    const unused = and(chosen, notInArray(products.id, usedProducts(tx)));
    const { count: deleted } = await withoutTrace(tx, () => tx.db.delete(products).where(unused));
    const kept = await tx.db.$count(products, chosen);
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
 * Deletes, and takes what is gone out of the working copies of the account's campaigns. A campaign that was being sent with
 * one of the products meanwhile is waited for, and then the whole deletion is undone: what publishers were asked about stays.
 */
async function withoutTrace<T>(ctx: Ctx<TenantActor>, deletion: () => Promise<T>): Promise<T> {
  const missedBefore = await listMissed(ctx);
  const deleted = await deletion();
  await forgetInDrafts(ctx);
  const missed = await listMissed(ctx);
  if (missed.some((id) => !missedBefore.includes(id))) {
    throw new DomainError("invalid_transition", "A campaign has just begun to use it. Try again.");
  }
  return deleted;
}

/** Products that campaigns show and that are not there: none, as long as they are deleted here alone. */
async function listMissed(ctx: Ctx<TenantActor>): Promise<ProductId[]> {
  const used = usedProducts(ctx).as("used");
  const rows = await ctx.db
    .selectDistinct({ id: used.id })
    .from(used)
    .where(sql`not exists (select from ${products} where ${products.id} = ${used.id})`);
  return rows.map(({ id }) => id);
}

async function forgetInDrafts(ctx: Ctx<TenantActor>): Promise<void> {
  const there = sql`exists (select from ${products} where ${products.id} = chosen and ${products.accountId} = ${campaigns.advertiserId})`;
  await ctx.db
    .update(campaigns)
    .set({
      productIds: sql`(select coalesce(array_agg(chosen order by place), '{}') from unnest(${campaigns.productIds}) with ordinality as list(chosen, place) where ${there})`,
      hasUnsentChanges: sql`${campaigns.version} > 0`,
      updatedAt: ctx.clock(),
    })
    .where(
      and(
        eq(campaigns.advertiserId, ctx.actor.accountId),
        ne(campaigns.status, "completed"),
        sql`exists (select from unnest(${campaigns.productIds}) as chosen where not ${there})`,
      ),
    );
}

function inUse(campaign: string): DomainError {
  return new DomainError(
    "invalid_transition",
    `The campaign “${campaign}” shows this product. It can be deleted when no campaign shows it that is approved and not completed, or waits for a decision.`,
  );
}
