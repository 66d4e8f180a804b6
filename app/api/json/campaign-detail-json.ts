import { z } from "zod";
import { roundRatio, timeOrNull, wire } from "#app/api/wire.ts";
import { entrypoints } from "#app/domain/audit/entrypoint.ts";
import type { HistoryEntry } from "#app/domain/audit/list-history.server.ts";
import { approvalStatuses, lineItemStatuses } from "#app/domain/campaigns/campaign.ts";
import { findRowByKey } from "#app/domain/campaigns/campaign-fields.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import type { StatusSide } from "#app/domain/campaigns/status/status-reason.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { creativeSchema } from "./creative-json.ts";
import { statusReasonJson, statusReasonSchema } from "./status-reason-json.ts";

const lineItemSchema = z.object({
  id: wire.id,
  publisher_name: z.string(),
  approval_status: z.enum(approvalStatuses),
  status: z.enum(lineItemStatuses),
  status_reason: statusReasonSchema,
  version: wire.count,
  approved_version: wire.count.nullable(),
  notes: z.string().nullable(),
  sent_at: wire.time,
  decided_at: wire.time.nullable(),
  paused_by_publisher: z.boolean(),
  managed_by_retailer: z.boolean(),
  spent: wire.dollars,
  impressions: wire.count,
  clicks: wire.count,
  conversions: wire.count,
  ctr: wire.percent,
});

/** The commission is between the publisher and the platform. */
const ownLineItemSchema = lineItemSchema.extend({ retailer_commission_rate: wire.percent });

const historySchema = z.object({
  id: wire.id,
  at: wire.time,
  action: z.string(),
  actor_kind: z.string(),
  actor_name: z.string(),
  entrypoint: z.enum(entrypoints),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});

const sharedShape = { creatives: z.array(creativeSchema), history: z.array(historySchema) };

/** The fields that `GET /api/campaigns/{id}` adds to an advertiser's campaign. */
export const campaignDetailShape = { ...sharedShape, line_items: z.array(lineItemSchema) };

/** The same for a publisher, which sees its own line item. */
export const publisherCampaignDetailShape = { ...sharedShape, line_items: z.array(ownLineItemSchema) };

/** The advertiser's view of a line item. */
export function lineItemJson(item: CampaignDetail["lineItems"][number]): z.output<typeof lineItemSchema> {
  return { ...sharedJson(item, "advertiser"), publisher_name: item.publisherName, version: item.sentVersion };
}

/** The publisher's view of its own line item. */
export function ownLineItemJson(
  campaign: PublisherCampaign,
  publisherName: string,
): z.output<typeof ownLineItemSchema> {
  const item = { ...campaign, id: campaign.lineItemId };
  return {
    ...sharedJson(item, "publisher"),
    publisher_name: publisherName,
    version: campaign.version,
    retailer_commission_rate: campaign.commissionRate,
  };
}

type Shared = Omit<CampaignDetail["lineItems"][number], "publisherName" | "sentVersion" | "delivery" | "reasons">;

function sharedJson(item: Shared, side: StatusSide) {
  return {
    id: item.id,
    approval_status: item.approvalStatus,
    status: item.status,
    status_reason: statusReasonJson(item.statusReason, side),
    approved_version: item.approvedVersion,
    notes: item.notes,
    sent_at: item.sentAt.toISOString(),
    decided_at: timeOrNull(item.decidedAt),
    paused_by_publisher: item.pausedByPublisher,
    managed_by_retailer: item.managedByRetailer,
    spent: centsToDollars(item.spentCents),
    impressions: item.impressions,
    clicks: item.clicks,
    conversions: item.conversions,
    ctr: roundRatio(item.ctr),
  };
}

export function historyJson(entry: HistoryEntry): z.output<typeof historySchema> {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    action: entry.action,
    actor_kind: entry.actorKind,
    actor_name: entry.actorName,
    entrypoint: entry.entrypoint,
    before: changesJson(entry.before),
    after: changesJson(entry.after),
  };
}

/** The audit keeps a campaign's content as the domain names it. */
function changesJson(changes: Record<string, unknown> | null): Record<string, unknown> | null {
  if (changes === null) return null;
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      findRowByKey(field)?.name ?? field,
      field.endsWith("Cents") && typeof value === "number" ? value / 100 : value,
    ]),
  );
}
