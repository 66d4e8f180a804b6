import { formatDate } from "#app/domain/calendar-date.ts";
import { approvalStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { describeRejectionReasons } from "#app/domain/campaigns/status/campaign-rejection.ts";
import { describeStatusReason } from "#app/domain/campaigns/status/status-reason-copy.ts";
import { formatCents } from "#app/domain/money.ts";
import { StatusBadge } from "#app/screens/shared/campaigns/status/campaign-status.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount, formatRate } from "#app/ui/format.ts";
import type { Column } from "#app/ui/table/column.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";

/** A line item as its advertiser sees it. */
export type LineItemView = CampaignDetail["lineItems"][number];

/** Each publisher's decision, the line item's status and its delivery. */
export function LineItemTable({ lineItems }: { lineItems: readonly LineItemView[] }) {
  return <DataTable caption="Publishers" columns={columns} rows={lineItems} />;
}

const columns: Column<LineItemView>[] = [
  {
    header: "Publisher",
    place: "title",
    cell: (item) => (
      <RowTitle name={item.publisherName} detail={item.managedByRetailer ? "Manages this campaign" : undefined} />
    ),
  },
  {
    header: "Decision",
    place: "status",
    wraps: true,
    width: 190,
    cell: (item) => (
      <>
        <Badge tone={approvalStatusTones[item.approvalStatus]}>{statusLabels[item.approvalStatus]}</Badge>
        <small>{describeDecision(item)}</small>
        {item.reasons.length > 0 ? <small>{describeRejectionReasons(item.reasons)}</small> : null}
        {item.notes ? <small className="whitespace-pre-line wrap-anywhere">“{item.notes}”</small> : null}
      </>
    ),
  },
  {
    header: "Delivery",
    priority: 1,
    width: 190,
    // The decision already says that the publisher rejected it.
    cell: (item) =>
      item.statusReason.code === "rejected" ? (
        <span className="text-muted">Not delivering</span>
      ) : (
        <>
          <StatusBadge {...item} />
          <small>{describeStatusReason(item.statusReason, "advertiser")}</small>
        </>
      ),
  },
  {
    header: "Impressions",
    priority: 2,
    width: 150,
    align: "right",
    cell: (item) => (
      <>
        <strong className="text-ink">{formatCount(item.impressions)}</strong>
        <small className="whitespace-nowrap">
          {formatCount(item.clicks)} clicks · {formatRate(item.ctr, item.impressions)}
        </small>
      </>
    ),
  },
  {
    header: "Spent",
    place: "amount",
    align: "right",
    cell: (item) => <strong className="text-ink">{formatCents(item.spentCents)}</strong>,
  },
];

function describeDecision({ approvalStatus, sentVersion, approvedVersion, decidedAt, sentAt }: LineItemView): string {
  const when = decidedAt ? formatDate(decidedAt) : `Sent ${formatDate(sentAt)}`;
  if (approvedVersion === null || approvedVersion === sentVersion || approvalStatus === "withdrawn") return when;
  return `Version ${sentVersion}: ${when}. Version ${approvedVersion} keeps running.`;
}
