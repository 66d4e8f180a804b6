import { z } from "zod";
import { entrypoints } from "#app/domain/audit/entrypoint.ts";
import type { HistoryEntry } from "#app/domain/audit/list-history.server.ts";
import { approvalStatuses, lineItemStatuses } from "#app/domain/campaigns/campaign.ts";
import type { CampaignContent } from "#app/domain/campaigns/campaign-content.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { creativeSchema } from "./creative-json.ts";
import { rounded, timeOrNull, wire } from "./wire.ts";

/** What `GET /api/campaigns/{id}` adds to a campaign: its creatives, its line items (for a publisher its own), and what happened. */
const lineItemSchema = z.object({
  id: wire.id,
  publisher_name: z.string(),
  approval_status: z.enum(approvalStatuses),
  status: z.enum(lineItemStatuses),
  version: wire.count,
  approved_version: wire.count.nullable(),
  notes: z.string().nullable(),
  sent_at: wire.time,
  decided_at: wire.time.nullable(),
  paused_by_publisher: z.boolean(),
  managed_by_retailer: z.boolean(),
  retailer_commission_rate: wire.percent,
  spent: wire.dollars,
  impressions: wire.count,
  clicks: wire.count,
  conversions: wire.count,
  ctr: wire.percent,
});

const historySchema = z.object({
  id: wire.id,
  at: wire.time,
  action: z.string(),
  actor_kind: z.string(),
  actor_name: z.string(),
  door: z.enum(entrypoints),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});

export const campaignDetailShape = {
  creatives: z.array(creativeSchema),
  line_items: z.array(lineItemSchema),
  history: z.array(historySchema),
};
type LineItemJson = z.output<typeof lineItemSchema>;

/** The advertiser's view of a publisher's part. */
export function lineItemJson(item: CampaignDetail["lineItems"][number]): LineItemJson {
  return { ...sharedJson(item), publisher_name: item.publisherName, version: item.sentVersion };
}

/** The publisher's own part. */
export function ownLineItemJson(campaign: PublisherCampaign, publisherName: string): LineItemJson {
  const item = { ...campaign, id: campaign.lineItemId };
  return { ...sharedJson(item), publisher_name: publisherName, version: campaign.version };
}

type Shared = Omit<CampaignDetail["lineItems"][number], "publisherName" | "sentVersion" | "delivery" | "reasons">;

function sharedJson(item: Shared) {
  return {
    id: item.id,
    approval_status: item.approvalStatus,
    status: item.status,
    approved_version: item.approvedVersion,
    notes: item.notes,
    sent_at: item.sentAt.toISOString(),
    decided_at: timeOrNull(item.decidedAt),
    paused_by_publisher: item.pausedByPublisher,
    managed_by_retailer: item.managedByRetailer,
    retailer_commission_rate: item.commissionRate,
    spent: dollarsOf(item.spentCents),
    impressions: item.impressions,
    clicks: item.clicks,
    conversions: item.conversions,
    ctr: rounded(item.ctr),
  };
}

export function historyJson(entry: HistoryEntry): z.output<typeof historySchema> {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    action: entry.action,
    actor_kind: entry.actorKind,
    actor_name: entry.actorName,
    door: entry.door,
    before: changesJson(entry.before),
    after: changesJson(entry.after),
  };
}

/** The audit keeps a campaign's content as the domain names it. */
const wireNames: Record<keyof CampaignContent, string> = {
  objective: "objective",
  adFormat: "ad_format",
  landingUrl: "landing_url",
  creativeIds: "creative_ids",
  creativePreviewUrl: "creative_preview_url",
  productIds: "selected_products",
  audienceIds: "selected_audiences",
  geolocations: "geolocations",
  frequencyCapImpressions: "frequency_cap_impressions",
  frequencyCapPeriod: "frequency_cap_period",
  channelType: "channel_type",
  channels: "channels",
  totalBudgetCents: "budget",
  dailyBudgetCents: "daily_budget",
  startDate: "start_date",
  endDate: "end_date",
};
const nameOf = new Map(Object.entries(wireNames));

function changesJson(changes: Record<string, unknown> | null): Record<string, unknown> | null {
  if (changes === null) return null;
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      nameOf.get(field) ?? field,
      field.endsWith("Cents") && typeof value === "number" ? value / 100 : value,
    ]),
  );
}
