import { and, asc, eq, sql } from "drizzle-orm";
import { fileStorage } from "#app/storage/storage.server.ts";
import { campaigns, creatives } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import { hasUnsentChangesAfter } from "../campaigns/unsent-changes.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import type { CreativeId } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { requireOwnStorage } from "../storage-owner.server.ts";
import { inTransaction } from "../transaction.server.ts";
import { creativeStorageKeys } from "./creative-rows.server.ts";
import { listCreativeBlockingCampaigns } from "./creative-use.server.ts";

/**
 * Deletes a creative and its file, and removes it from drafts. Throws `not_found`, and `invalid_transition` while a
 * campaign of `listCreativeBlockingCampaigns` shows it.
 */
export async function deleteCreative(ctx: Ctx<TenantActor>, { id }: { id: CreativeId }): Promise<void> {
  await deleteCreativeRow(ctx, { id });
  await deleteCreativeFiles(ctx, { id });
}

/**
 * Does the same but for the file, and returns the creative's name. In a caller's transaction the file is deleted after
 * it: a creative whose deletion is rolled back needs its file.
 */
export async function deleteCreativeRow(ctx: Ctx<TenantActor>, { id }: { id: CreativeId }): Promise<{ name: string }> {
  return inTransaction(ctx, async (tx) => {
    await lockDrafts(tx, id);
    const own = and(eq(creatives.id, id), eq(creatives.accountId, tx.actor.accountId));
    // A transaction that is sending a version with this creative holds a lock on it; this waits and then sees the
    // version.
    const [row] = await tx.db.select({ name: creatives.name }).from(creatives).where(own).for("update");
    if (!row) throw notFound("Creative");
    const [campaign] = await listCreativeBlockingCampaigns(tx, id);
    if (campaign) throw inUse(campaign.name);
    await removeFromDrafts(tx, id);
    await tx.db.delete(creatives).where(own);
    await recordAudit(tx, {
      action: "creative.deleted",
      entity: "creative",
      entityId: id,
      accountId: tx.actor.accountId,
      before: row,
    });
    return row;
  });
}

/** Deletes the files of a deleted creative. The sweeper deletes those that remain when this fails. */
export async function deleteCreativeFiles(ctx: Ctx<TenantActor>, { id }: { id: CreativeId }): Promise<void> {
  try {
    await requireOwnStorage(ctx);
    await (await fileStorage()).delete(Object.values(creativeStorageKeys(id)));
  } catch (error) {
    reportError(ctx, error, { work: "delete_creative", creativeId: id, step: "cleanup" });
  }
}

/** Locks campaigns before their creatives, in the same order as sending a version does, to avoid deadlocks. */
async function lockDrafts(ctx: Ctx, id: CreativeId): Promise<void> {
  const drafts = ctx.db.select({ id: campaigns.id }).from(campaigns).where(inDraft(id));
  await drafts.orderBy(asc(campaigns.id)).for("no key update");
}

function inDraft(id: CreativeId) {
  return and(
    // The same expression as in the index.
    sql`${campaigns.creativeIds} <> '{}' and ${campaigns.status} <> 'completed'`,
    sql`${campaigns.creativeIds} @> array[${id}::uuid]`,
  );
}

/** A campaign without creatives has no products and no preview. */
async function removeFromDrafts(ctx: Ctx, id: CreativeId): Promise<void> {
  const remaining = sql`array_remove(${campaigns.creativeIds}, ${id}::uuid)`;
  const remainingProducts = sql`case when cardinality(${remaining}) = 0 then '{}' else ${campaigns.productIds} end`;
  await ctx.db
    .update(campaigns)
    .set({
      creativeIds: remaining,
      creativePreviewUrl: sql`(select path from creatives where id = any(${remaining})
        order by type = 'video/mp4', array_position(${remaining}, id) limit 1)`,
      productIds: remainingProducts,
      hasUnsentChanges: hasUnsentChangesAfter({ creativeIds: remaining, productIds: remainingProducts }),
      updatedAt: ctx.clock(),
    })
    .where(inDraft(id));
}

function inUse(campaign: string): DomainError {
  return new DomainError(
    "invalid_transition",
    `The campaign “${campaign}” uses this creative. You can delete it once no approved or pending campaign uses it.`,
  );
}
