import { formatDate } from "#app/domain/calendar-date.ts";
import {
  approvalStatusTones,
  campaignStatusTones,
  rejectionReasonLabels,
  statusLabels,
} from "#app/domain/campaigns/campaign.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { deliveryReasonLabels } from "#app/domain/campaigns/may-deliver.ts";
import { formatCents } from "#app/domain/money.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount, formatPercent } from "#app/ui/format.ts";
import { type Column, DataTable } from "#app/ui/table.tsx";

/** A publisher's part, as its advertiser sees it: what the publisher earns of it is between publisher and product. */
export type ShownLineItem = Omit<CampaignDetail["lineItems"][number], "commissionRate">;

/** What each publisher decided, whether its part runs, and what it delivered. */
export function LineItemTable({ lineItems }: { lineItems: readonly ShownLineItem[] }) {
  return <DataTable caption="Publishers" columns={columns} rows={lineItems} />;
}

const columns: Column<ShownLineItem>[] = [
  {
    head: "Publisher",
    wide: true,
    cell: (item) => (
      <>
        <strong className="text-ink">{item.publisherName}</strong>
        {item.managedByRetailer ? <small>Manages this campaign</small> : null}
      </>
    ),
  },
  {
    head: "Decision",
    cell: (item) => (
      <>
        <Badge tone={approvalStatusTones[item.approvalStatus]}>{statusLabels[item.approvalStatus]}</Badge>
        <small>{decisionWords(item)}</small>
        {item.reasons.length > 0 ? (
          <small>{item.reasons.map((reason) => rejectionReasonLabels[reason]).join(", ")}</small>
        ) : null}
        {item.notes ? <small className="whitespace-pre-line wrap-anywhere">“{item.notes}”</small> : null}
      </>
    ),
  },
  {
    head: "Delivery",
    cell: (item) => (
      <>
        <Badge tone={campaignStatusTones[item.status]}>{statusLabels[item.status]}</Badge>
        <small>{deliveryWords(item)}</small>
      </>
    ),
  },
  {
    head: "Impressions",
    right: true,
    cell: (item) => (
      <>
        <strong className="text-ink">{formatCount(item.impressions)}</strong>
        <small className="whitespace-nowrap">
          {formatCount(item.clicks)} clicks · {item.impressions > 0 ? formatPercent(item.ctr) : "–"}
        </small>
      </>
    ),
  },
  {
    head: "Spent",
    right: true,
    cell: (item) => <strong className="text-ink">{formatCents(item.spentCents)}</strong>,
  },
];

function decisionWords({ approvalStatus, sentVersion, approvedVersion, decidedAt, sentAt }: ShownLineItem): string {
  const when = decidedAt ? formatDate(decidedAt) : `Asked ${formatDate(sentAt)}`;
  if (approvedVersion === null || approvedVersion === sentVersion || approvalStatus === "withdrawn") return when;
  return `Version ${sentVersion}: ${when}. Version ${approvedVersion} goes on`;
}

function deliveryWords({ delivery, pausedByPublisher }: ShownLineItem): string {
  if (delivery.may) return "Delivers today";
  if (delivery.reason === "paused") return pausedByPublisher ? "Paused by the publisher" : "Paused by you";
  return deliveryReasonLabels[delivery.reason];
}
