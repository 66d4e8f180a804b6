import { z } from "zod";
import {
  adFormats,
  campaignStatuses,
  channels,
  channelTypes,
  frequencyCapPeriods,
  geolocations,
  objectives,
  pacings,
} from "#app/domain/campaigns/campaign.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { dollarsOrNull, rounded, urlOrNull, wire } from "./wire.ts";

/** A campaign as its advertiser sees it: in the list, and with all of its working copy. */
export const listedCampaignSchema = z.object({
  id: wire.id,
  name: z.string(),
  status: z.enum(campaignStatuses),
  objective: z.enum(objectives).nullable(),
  budget: wire.dollars.nullable(),
  daily_budget: wire.dollars.nullable(),
  spent: wire.dollars,
  impressions: wire.count,
  clicks: wire.count,
  conversions: wire.count,
  ctr: wire.percent,
  roas: z.number().nullable().describe("Attributed revenue per dollar spent; null without spend"),
  start_date: wire.date.nullable(),
  end_date: wire.date.nullable(),
  audiences: z.array(wire.id),
  selected_audiences: z.array(wire.id),
  channels: z.array(z.enum(channels)),
  version: wire.count.describe("The newest version sent to publishers, 0 before the first launch"),
  has_unsent_changes: z.boolean(),
  managed_by_retailer: z.boolean(),
  created_at: wire.time,
});

export const campaignSchema = listedCampaignSchema.extend({
  ad_format: z.enum(adFormats).nullable(),
  landing_url: z.string().nullable(),
  creative_ids: z.array(wire.id),
  creative_preview_url: z.string().nullable(),
  selected_products: z.array(wire.id),
  geolocations: z.array(z.enum(geolocations)),
  frequency_cap_impressions: wire.count,
  frequency_cap_period: z.enum(frequencyCapPeriods),
  channel_type: z.enum(channelTypes),
  pacing: z
    .enum(pacings)
    .describe("How the budget is spread over the flight; it is not part of what publishers decide"),
  updated_at: wire.time,
});
export type CampaignJson = z.output<typeof campaignSchema>;

export function listedCampaignJson(campaign: ListedCampaign): z.output<typeof listedCampaignSchema> {
  return {
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    objective: campaign.objective,
    budget: dollarsOrNull(campaign.totalBudgetCents),
    daily_budget: dollarsOrNull(campaign.dailyBudgetCents),
    spent: dollarsOf(campaign.spentCents),
    ...figuresJson(campaign),
    start_date: campaign.startDate,
    end_date: campaign.endDate,
    audiences: campaign.audienceIds,
    selected_audiences: campaign.audienceIds,
    channels: campaign.channels,
    version: campaign.version,
    has_unsent_changes: campaign.hasUnsentChanges,
    managed_by_retailer: campaign.managedByRetailer,
    created_at: campaign.createdAt.toISOString(),
  };
}

export function campaignJson(campaign: CampaignDetail): CampaignJson {
  const { content } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    objective: content.objective,
    ad_format: content.adFormat,
    landing_url: content.landingUrl,
    creative_ids: content.creativeIds,
    creative_preview_url: urlOrNull(content.creativePreviewUrl),
    selected_products: content.productIds,
    audiences: content.audienceIds,
    selected_audiences: content.audienceIds,
    geolocations: content.geolocations,
    frequency_cap_impressions: content.frequencyCapImpressions,
    frequency_cap_period: content.frequencyCapPeriod,
    channel_type: content.channelType,
    channels: content.channels,
    pacing: campaign.pacing,
    budget: dollarsOrNull(content.totalBudgetCents),
    daily_budget: dollarsOrNull(content.dailyBudgetCents),
    spent: dollarsOf(campaign.spentCents),
    ...figuresJson(campaign),
    start_date: content.startDate,
    end_date: content.endDate,
    version: campaign.version,
    has_unsent_changes: campaign.unsentFields.length > 0,
    managed_by_retailer: campaign.managedByRetailer,
    created_at: campaign.createdAt.toISOString(),
    updated_at: campaign.updatedAt.toISOString(),
  };
}

function figuresJson(campaign: Pick<ListedCampaign, "impressions" | "clicks" | "conversions" | "ctr" | "roas">) {
  return {
    impressions: campaign.impressions,
    clicks: campaign.clicks,
    conversions: campaign.conversions,
    ctr: rounded(campaign.ctr),
    roas: campaign.roas === null ? null : rounded(campaign.roas),
  };
}
