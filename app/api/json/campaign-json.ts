import { z } from "zod";
import { dollarsOrNull, roundRatio, timeOrNull, wire } from "#app/api/wire.ts";
import { campaignStatuses, channels, objectives } from "#app/domain/campaigns/campaign.ts";
import { advertiserJsonShape } from "#app/domain/campaigns/campaign-field-schemas.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import type { ListedCampaign } from "#app/domain/campaigns/list-campaigns.server.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { advertiserFieldsJson } from "./campaign-fields-json.ts";
import { statusReasonJson, statusReasonSchema } from "./status-reason-json.ts";

/** A campaign as its advertiser sees it: in the list, and with the whole working copy. */
export const listedCampaignSchema = z.object({
  id: wire.id,
  name: z.string(),
  status: z.enum(campaignStatuses),
  status_reason: statusReasonSchema,
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
  version: wire.count.describe("Latest version sent to publishers; 0 before the first launch"),
  has_unsent_changes: z.boolean(),
  managed_by_retailer: z.boolean(),
  created_at: wire.time,
  archived_at: wire.time.nullable(),
});

export const campaignSchema = listedCampaignSchema.extend({
  ...advertiserJsonShape(),
  updated_at: wire.time,
});
export type CampaignJson = z.output<typeof campaignSchema>;

export function listedCampaignJson(campaign: ListedCampaign): z.output<typeof listedCampaignSchema> {
  return {
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    status_reason: statusReasonJson(campaign.statusReason, "advertiser"),
    objective: campaign.objective,
    budget: dollarsOrNull(campaign.totalBudgetCents),
    daily_budget: dollarsOrNull(campaign.dailyBudgetCents),
    spent: centsToDollars(campaign.spentCents),
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
    archived_at: timeOrNull(campaign.archivedAt),
  };
}

export function campaignJson(campaign: CampaignDetail): CampaignJson {
  return {
    id: campaign.id,
    status: campaign.status,
    status_reason: statusReasonJson(campaign.statusReason, "advertiser"),
    ...advertiserFieldsJson({ ...campaign, ...campaign.content }),
    audiences: campaign.content.audienceIds,
    spent: centsToDollars(campaign.spentCents),
    ...figuresJson(campaign),
    version: campaign.version,
    has_unsent_changes: campaign.unsentFields.length > 0,
    managed_by_retailer: campaign.managedByRetailer,
    created_at: campaign.createdAt.toISOString(),
    archived_at: timeOrNull(campaign.archivedAt),
    updated_at: campaign.updatedAt.toISOString(),
  };
}

function figuresJson(campaign: Pick<ListedCampaign, "impressions" | "clicks" | "conversions" | "ctr" | "roas">) {
  return {
    impressions: campaign.impressions,
    clicks: campaign.clicks,
    conversions: campaign.conversions,
    ctr: roundRatio(campaign.ctr),
    roas: campaign.roas === null ? null : roundRatio(campaign.roas),
  };
}
