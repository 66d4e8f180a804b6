import { and, eq, gte, isNull } from "drizzle-orm";
import { campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { CampaignId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { type CampaignRow, lockOwnCampaign } from "../campaign-rows.server.ts";
import { closeEdit } from "../editing/close-edit.server.ts";
import { campaignArchiveObstacle } from "./archive-rules.ts";

/**
 * Archives a campaign for its advertiser: lists, tabs and attention items leave it out, and it cannot be changed until
 * it is restored. Its status, money, figures and history stay as they are. Returns whether it was not archived yet.
 * Throws `not_found`, and `invalid_transition` while the campaign runs or a publisher can still approve it.
 */
export async function archiveCampaign(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    if (row.archivedAt) return false;
    const obstacle = campaignArchiveObstacle({ status: row.status, pending: await isPending(tx, row) });
    if (obstacle) throw new DomainError("invalid_transition", obstacle);
    await closeEdit(tx, row);
    await setArchived(tx, row, tx.clock());
    return true;
  });
}

/**
 * Ends the archiving; the campaign has the status that it has without it. Returns whether it was archived. Throws
 * `not_found`.
 */
export async function restoreCampaign(ctx: Ctx<AdvertiserActor>, input: { id: CampaignId }): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    if (row.archivedAt) await setArchived(tx, row, null);
    return row.archivedAt !== null;
  });
}

/** Returns whether a publisher can still approve a version: not once its flight is over. */
async function isPending(ctx: Ctx<AdvertiserActor>, row: CampaignRow): Promise<boolean> {
  const pending = await ctx.db
    .select({ id: lineItems.id })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, lineItems.sentVersion)),
    )
    .where(
      and(
        eq(lineItems.campaignId, row.id),
        eq(lineItems.approvalStatus, "pending"),
        isNull(lineItems.withdrawnAt),
        gte(campaignVersions.endDate, calendarDateOf(ctx.clock())),
      ),
    )
    .limit(1);
  return pending.length > 0;
}

async function setArchived(ctx: Ctx<AdvertiserActor>, row: CampaignRow, archivedAt: Date | null): Promise<void> {
  await ctx.db.update(campaigns).set({ archivedAt, updatedAt: ctx.clock() }).where(eq(campaigns.id, row.id));
  await recordAudit(ctx, {
    action: archivedAt ? "campaign.archived" : "campaign.restored",
    entity: "campaign",
    entityId: row.id,
    campaignId: row.id,
    ownerId: row.advertiserId,
    before: { archived: row.archivedAt !== null },
    after: { archived: archivedAt !== null },
  });
}
