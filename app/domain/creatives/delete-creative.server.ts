import { and, asc, eq, ne, sql } from "drizzle-orm";
import { fileStorage } from "#app/storage/storage.server.ts";
import { campaigns, creatives } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import type { CreativeId } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { inTransaction } from "../transaction.server.ts";
import { storageKeys } from "./creative-rows.server.ts";
import { listCampaignsShowing } from "./creative-use.server.ts";

/**
 * Deletes a creative and its file, and takes it out of working copies. Throws `not_found`, and `invalid_transition` while a
 * campaign of `listCampaignsShowing` shows it.
 */
export async function deleteCreative(ctx: Ctx<TenantActor>, { id }: { id: CreativeId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockDrafts(tx, id);
    const own = and(eq(creatives.id, id), eq(creatives.accountId, tx.actor.accountId));
    // Whoever sends a version with it holds it until that is done: it is waited for, and then seen.
    const [row] = await tx.db.select({ name: creatives.name }).from(creatives).where(own).for("update");
    if (!row) throw notFound("Creative");
    const [campaign] = await listCampaignsShowing(tx, id);
    if (campaign) throw inUse(campaign.name);
    await forgetInDrafts(tx, id);
    await tx.db.delete(creatives).where(own);
    await recordAudit(tx, {
      action: "creative.deleted",
      entity: "creative",
      entityId: id,
      accountId: tx.actor.accountId,
      before: row,
    });
  });
  // What stays behind when this fails, the sweeper takes.
  const storage = await fileStorage();
  await storage.delete(Object.values(storageKeys(id))).catch((error: unknown) => {
    reportError(ctx, error, { work: "delete_creative", creativeId: id, step: "cleanup" });
  });
}

/** Campaigns before their creatives, as whoever sends one takes them: the other way round both would wait for each other. */
async function lockDrafts(ctx: Ctx, id: CreativeId): Promise<void> {
  const drafts = ctx.db.select({ id: campaigns.id }).from(campaigns).where(inDraft(id));
  await drafts.orderBy(asc(campaigns.id)).for("no key update");
}

function inDraft(id: CreativeId) {
  return and(
    // In the words of the index.
    sql`${campaigns.creativeIds} <> '{}'`,
    sql`${campaigns.creativeIds} @> array[${id}::uuid]`,
    ne(campaigns.status, "completed"),
  );
}

/** Without any creative a campaign has no products, and nothing to show. */
async function forgetInDrafts(ctx: Ctx, id: CreativeId): Promise<void> {
  const left = sql`array_remove(${campaigns.creativeIds}, ${id}::uuid)`;
  await ctx.db
    .update(campaigns)
    .set({
      creativeIds: left,
      creativePreviewUrl: sql`(select path from creatives where id = any(${left})
        order by type = 'video/mp4', array_position(${left}, id) limit 1)`,
      productIds: sql`case when cardinality(${left}) = 0 then '{}' else ${campaigns.productIds} end`,
      hasUnsentChanges: sql`${campaigns.version} > 0`,
      updatedAt: ctx.clock(),
    })
    .where(inDraft(id));
}

function inUse(campaign: string): DomainError {
  return new DomainError(
    "invalid_transition",
    `The campaign “${campaign}” shows this creative. It can be deleted when no campaign shows it that is approved and not completed, or waits for a decision.`,
  );
}
