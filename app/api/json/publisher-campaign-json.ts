import { z } from "zod";
import { dollarsOrNull, roundRatio, timeOrNull, wire } from "#app/api/wire.ts";
import { approvalStatuses, lineItemStatuses } from "#app/domain/campaigns/campaign.ts";
import { publisherJsonShape } from "#app/domain/campaigns/campaign-field-schemas.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { publisherFieldsJson } from "./campaign-fields-json.ts";
import { statusReasonJson, statusReasonSchema } from "./status-reason-json.ts";

const fields = publisherJsonShape();

/** The beginning of the published order; a campaign's other fields follow. */
const orderedFields = z.object({
  id: wire.id,
  name: fields.name,
  advertiser_name: z.string(),
  approval_status: z.enum(approvalStatuses),
  status: z.enum(lineItemStatuses),
  objective: fields.objective,
  ad_format: fields.ad_format,
  channel_type: fields.channel_type,
  channels: fields.channels,
  pacing: fields.pacing,
  total_budget: fields.total_budget,
  daily_budget: fields.daily_budget,
  spent_budget: wire.dollars.describe("Spend of the caller's line item"),
  start_date: fields.start_date,
  end_date: fields.end_date,
  selected_audiences: fields.selected_audiences,
  audiences: z.array(
    z.object({
      id: wire.id,
      name: z.string(),
      segment: z.string(),
      size: wire.count,
      cpm_rate: wire.dollars.nullable(),
    }),
  ),
  geolocation_targeting: fields.geolocation_targeting,
  frequency_cap_impressions: fields.frequency_cap_impressions,
  frequency_cap_period: fields.frequency_cap_period,
});

/** A campaign as shown to publishers: its own line item's state and counters, in the version it was sent last. */
export const publisherCampaignSchema = orderedFields.extend(fields).extend({
  status_reason: statusReasonSchema,
  managed_by_retailer: z.boolean(),
  retailer_commission_rate: wire.percent,
  commission_earned: wire.dollars,
  impressions: wire.count,
  clicks: wire.count,
  ctr: wire.percent,
  conversions: wire.count,
  version: wire.count.describe("Latest version sent; pass it to `approve`"),
  approved_version: wire.count.nullable().describe("Approved version that can run"),
  notes: z.string().nullable(),
  paused_by_publisher: z.boolean(),
  paused_by_advertiser: z.boolean(),
  sent_at: wire.time,
  decided_at: wire.time.nullable(),
  archived_at: wire.time.nullable().describe("When the caller archived it in its own lists"),
});
export type PublisherCampaignJson = z.output<typeof publisherCampaignSchema>;

export function publisherCampaignJson(campaign: PublisherCampaign): PublisherCampaignJson {
  return {
    id: campaign.id,
    advertiser_name: campaign.advertiserName,
    approval_status: campaign.approvalStatus,
    status: campaign.status,
    status_reason: statusReasonJson(campaign.statusReason, "publisher"),
    ...publisherFieldsJson(campaign),
    spent_budget: centsToDollars(campaign.spentCents),
    selected_audiences: campaign.audiences.map((audience) => audience.id),
    audiences: campaign.audiences.map(({ cpmCents, ...audience }) => ({
      ...audience,
      cpm_rate: dollarsOrNull(cpmCents),
    })),
    managed_by_retailer: campaign.managedByRetailer,
    retailer_commission_rate: campaign.commissionRate,
    commission_earned: centsToDollars(campaign.commissionEarnedCents),
    impressions: campaign.impressions,
    clicks: campaign.clicks,
    ctr: roundRatio(campaign.ctr),
    conversions: campaign.conversions,
    version: campaign.version,
    approved_version: campaign.approvedVersion,
    notes: campaign.notes,
    paused_by_publisher: campaign.pausedByPublisher,
    paused_by_advertiser: campaign.pausedByAdvertiser,
    sent_at: campaign.sentAt.toISOString(),
    decided_at: timeOrNull(campaign.decidedAt),
    archived_at: timeOrNull(campaign.archivedAt),
  };
}
