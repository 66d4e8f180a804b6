import { and, eq, isNull } from "drizzle-orm";
import { campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { type CampaignStatus, campaignStatusOf } from "./campaign.ts";

/**
 * Recomputes the campaign's status and its last running day after a change they depend on, in the same transaction and
 * under the campaign's lock. A campaign that no approval applies to any longer is no longer paused.
 */
export async function refreshCampaignStatus(ctx: Ctx, id: CampaignId): Promise<CampaignStatus> {
  const [row] = await ctx.db
    .select({ launchedAt: campaigns.launchedAt, pausedAt: campaigns.pausedAt, completedAt: campaigns.completedAt })
    .from(campaigns)
    .where(eq(campaigns.id, id));
  if (!row) throw notFound("Campaign");
  const items = await ctx.db
    .select({
      approvalStatus: lineItems.approvalStatus,
      approvedVersion: lineItems.approvedVersion,
      endDate: campaignVersions.endDate,
    })
    .from(lineItems)
    .leftJoin(
      campaignVersions,
      and(
        eq(campaignVersions.campaignId, lineItems.campaignId),
        eq(campaignVersions.number, lineItems.approvedVersion),
      ),
    )
    .where(and(eq(lineItems.campaignId, id), isNull(lineItems.withdrawnAt)));
  const status = campaignStatusOf({
    launched: row.launchedAt !== null,
    paused: row.pausedAt !== null,
    completed: row.completedAt !== null,
    lineItems: items.map((item) => ({
      approvalStatus: item.approvalStatus,
      everApproved: item.approvedVersion !== null,
    })),
  });
  const runsUntil = items
    .map((item) => item.endDate)
    .reduce((last, date) => (date !== null && (last === null || date > last) ? date : last), null);
  const isNotRunning = status === "draft" || status === "pending";
  await ctx.db
    .update(campaigns)
    .set({ status, runsUntil, ...(isNotRunning && { pausedAt: null }) })
    .where(eq(campaigns.id, id));
  if (isNotRunning && row.pausedAt) {
    await ctx.db.update(lineItems).set({ advertiserPausedAt: null }).where(eq(lineItems.campaignId, id));
  }
  return status;
}
