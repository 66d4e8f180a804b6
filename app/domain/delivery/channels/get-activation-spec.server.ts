import { and, eq } from "drizzle-orm";
import type { Channel } from "#app/domain/campaigns/campaign.ts";
import { centsOrNull } from "#app/domain/campaigns/campaign-rows.server.ts";
import type { Ctx } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import type { LineItemId } from "#app/domain/ids.ts";
import { campaignVersions, lineItems, versionAudiences } from "#db/schema/index.ts";
import type { ActivationSpec } from "./channel-adapter.ts";

/** Reads what is sent to a channel for a line item: its part of the wanted version. Throws `not_found`. */
export async function getActivationSpec(
  ctx: Ctx,
  { lineItemId, channel, desiredVersion }: { lineItemId: LineItemId; channel: Channel; desiredVersion: number },
): Promise<ActivationSpec> {
  const [lineItemRow] = await ctx.db
    .select({ item: lineItems, version: campaignVersions })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, desiredVersion)),
    )
    .where(eq(lineItems.id, lineItemId));
  if (!lineItemRow) throw notFound("Line item");
  const { item, version } = lineItemRow;
  const selectedAudiences = await ctx.db
    .select({ audienceId: versionAudiences.audienceId })
    .from(versionAudiences)
    .where(
      and(
        eq(versionAudiences.campaignId, item.campaignId),
        eq(versionAudiences.version, desiredVersion),
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
    version: desiredVersion,
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
    audienceIds: selectedAudiences.map((row) => row.audienceId),
  };
}
