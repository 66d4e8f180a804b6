import { and, eq, isNotNull, isNull, or } from "drizzle-orm";
import { campaignVersions, lineItems } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import type { CampaignId } from "../../ids.ts";
import type { CampaignStatus } from "../campaign.ts";

/**
 * Returns the start dates of the newest version sent and of the approved versions that are still running, which may be
 * in the past; undefined for a campaign that does not run.
 */
export async function knownStartDates(
  ctx: Ctx,
  campaign: { id: CampaignId; status: CampaignStatus; version: number },
): Promise<ReadonlySet<CalendarDate | null> | undefined> {
  if (campaign.status !== "active" && campaign.status !== "paused") return undefined;
  const rows = await ctx.db
    .selectDistinct({ startDate: campaignVersions.startDate })
    .from(campaignVersions)
    .leftJoin(
      lineItems,
      and(
        eq(lineItems.campaignId, campaignVersions.campaignId),
        eq(lineItems.approvedVersion, campaignVersions.number),
      ),
    )
    .where(
      and(
        eq(campaignVersions.campaignId, campaign.id),
        or(eq(campaignVersions.number, campaign.version), and(isNotNull(lineItems.id), isNull(lineItems.withdrawnAt))),
      ),
    );
  return new Set(rows.map((version) => version.startDate));
}
