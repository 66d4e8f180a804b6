import { and, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Channel } from "#app/domain/campaigns/campaign.ts";
import { centsOrNull } from "#app/domain/campaigns/campaign-rows.server.ts";
import { type DeliveryBounds, deliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import type { Ctx } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import type { LineItemId } from "#app/domain/ids.ts";
import { microsToCents } from "#app/domain/money.ts";
import { campaigns, campaignVersions, lineItems, versionAudiences } from "#db/schema/index.ts";
import type { ActivationSpec } from "./channel-adapter.ts";

const sentVersions = alias(campaignVersions, "sent");

/** Reads what is sent to a channel for a line item: its part of the wanted version. Throws `not_found`. */
export async function getActivationSpec(
  ctx: Ctx,
  { lineItemId, channel, desiredVersion }: { lineItemId: LineItemId; channel: Channel; desiredVersion: number },
): Promise<ActivationSpec> {
  const [lineItemRow] = await ctx.db
    .select({ item: lineItems, version: campaignVersions, sent: sentVersions, spendMicros: campaigns.spendMicros })
    .from(lineItems)
    .innerJoin(campaigns, eq(campaigns.id, lineItems.campaignId))
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, desiredVersion)),
    )
    .innerJoin(
      sentVersions,
      and(eq(sentVersions.campaignId, lineItems.campaignId), eq(sentVersions.number, lineItems.sentVersion)),
    )
    .where(eq(lineItems.id, lineItemId));
  if (!lineItemRow) throw notFound("Line item");
  const { item, version, sent, spendMicros } = lineItemRow;
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
  const { objective, adFormat, geolocations, landingUrl, creativePreviewUrl } = version;
  const approved = boundsOf(version);
  const spentCents = microsToCents(spendMicros);
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
    frequencyCap: { impressions: version.frequencyCapImpressions, period: version.frequencyCapPeriod },
    ...approved,
    audienceIds: selectedAudiences.map((row) => row.audienceId),
    eligibilityOn: (day) =>
      deliveryEligibility({ status: item.status, approved, sentBounds: boundsOf(sent), spentCents }, day),
  };
}

function boundsOf(version: typeof campaignVersions.$inferSelect): DeliveryBounds {
  const { startDate, endDate, totalBudgetCents, dailyBudgetCents } = version;
  return {
    startDate,
    endDate,
    totalBudgetCents: centsOrNull(totalBudgetCents),
    dailyBudgetCents: centsOrNull(dailyBudgetCents),
  };
}
