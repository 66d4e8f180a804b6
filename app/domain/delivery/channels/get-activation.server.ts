import { and, eq } from "drizzle-orm";
import { campaignVersions, lineItems, versionAudiences } from "#db/schema/index.ts";
import type { Channel } from "../../campaigns/campaign.ts";
import { centsOrNull } from "../../campaigns/campaign-rows.server.ts";
import type { Ctx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { LineItemId } from "../../ids.ts";
import type { Activation } from "./channel-adapter.ts";

/** What a channel is told of a line item: its part of the wanted version. Throws `not_found`. */
export async function getActivation(
  ctx: Ctx,
  { lineItemId, channel, wantedVersion }: { lineItemId: LineItemId; channel: Channel; wantedVersion: number },
): Promise<Activation> {
  const [found] = await ctx.db
    .select({ item: lineItems, version: campaignVersions })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, wantedVersion)),
    )
    .where(eq(lineItems.id, lineItemId));
  if (!found) throw notFound("Line item");
  const { item, version } = found;
  const chosen = await ctx.db
    .select({ audienceId: versionAudiences.audienceId })
    .from(versionAudiences)
    .where(
      and(
        eq(versionAudiences.campaignId, item.campaignId),
        eq(versionAudiences.version, wantedVersion),
        eq(versionAudiences.publisherId, item.publisherId),
      ),
    )
    .orderBy(versionAudiences.audienceId);
  const { objective, adFormat, geolocations, landingUrl, creativePreviewUrl, startDate, endDate } = version;
  return {
    lineItemId,
    channel,
    campaignId: item.campaignId,
    name: item.campaignName,
    version: wantedVersion,
    objective,
    adFormat,
    geolocations,
    landingUrl,
    creativePreviewUrl,
    startDate,
    endDate,
    frequencyCap: { impressions: version.frequencyCapImpressions, period: version.frequencyCapPeriod },
    totalBudgetCents: centsOrNull(version.totalBudgetCents),
    dailyBudgetCents: centsOrNull(version.dailyBudgetCents),
    audienceIds: chosen.map((row) => row.audienceId),
  };
}
