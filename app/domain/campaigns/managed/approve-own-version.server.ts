import { and, eq } from "drizzle-orm";
import { decisions, lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { type AccountId, type CampaignId, type DecisionId, newId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { refreshCampaignStatus } from "../refresh-campaign-status.server.ts";
import { freezeCpm } from "../review-campaign.server.ts";

/**
 * Approves the version that the publisher itself sent for a campaign that it manages, in the transaction that sent it.
 * The advertiser is notified.
 */
export async function approveOwnVersion(
  ctx: Ctx<PublisherActor>,
  { id, advertiserId, version }: { id: CampaignId; advertiserId: AccountId; version: number },
): Promise<void> {
  const now = ctx.clock();
  const [item] = await ctx.db
    .update(lineItems)
    .set({ approvalStatus: "approved", approvedVersion: version, decidedAt: now, statusChangedAt: now })
    .where(and(eq(lineItems.campaignId, id), eq(lineItems.publisherId, ctx.actor.accountId)))
    .returning({ id: lineItems.id });
  invariant(item, "line item of a managed campaign is missing", { id });
  await freezeCpm(ctx, { campaignId: id, version });
  await ctx.db.insert(decisions).values({
    id: newId<DecisionId>(),
    lineItemId: item.id,
    version,
    action: "approve",
    decidedByUserId: ctx.actor.userId,
    decidedAt: now,
  });
  await refreshCampaignStatus(ctx, id);
  await recordAudit(ctx, {
    action: "line_item.approved",
    entity: "line_item",
    entityId: item.id,
    campaignId: id,
    ownerId: advertiserId,
    accountId: ctx.actor.accountId,
    before: { approval_status: "pending", version },
    after: { approval_status: "approved", version, managed_by_retailer: true },
    notificationFacts: version > 1 ? { isManagedChange: true, isChange: true } : undefined,
  });
}
