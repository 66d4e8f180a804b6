import { formatFlight } from "#app/domain/calendar-date.ts";
import { campaignStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { LineItemSort } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { describeUnexpectedReason } from "#app/domain/campaigns/status/status-reason-copy.ts";
import { formatCents, formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { StatusBadge, StatusReasonText } from "#app/screens/shared/campaigns/status/campaign-status.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Progress } from "#app/ui/progress.tsx";
import type { Column } from "#app/ui/table/column.ts";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { useOptimisticState } from "./pause-form.tsx";

/** What a row shows and its actions need; `ctr` as it is shown. */
export type ListedCampaignView = Pick<
  PublisherCampaign,
  | "id"
  | "name"
  | "advertiserName"
  | "status"
  | "statusReason"
  | "approvalStatus"
  | "approvedVersion"
  | "archivedAt"
  | "managedByRetailer"
  | "pausedByPublisher"
  | "pausedByAdvertiser"
  | "startDate"
  | "endDate"
  | "totalBudgetCents"
  | "dailyBudgetCents"
  | "spentCents"
  | "impressions"
  | "clicks"
  | "conversions"
  | "commissionEarnedCents"
  | "commissionRate"
> & { ctr: string };

type List = { sort: LineItemSort; sortHref: (sort: LineItemSort) => string };

export const lineItemSortOptions: readonly { sort: LineItemSort; label: string }[] = [
  { sort: "newest", label: "Newest first" },
  { sort: "name", label: "Name" },
  { sort: "budget", label: "Highest budget" },
  { sort: "spent", label: "Highest spend" },
  { sort: "impressions", label: "Most impressions" },
  { sort: "ctr", label: "Highest CTR" },
  { sort: "conversions", label: "Most conversions" },
  { sort: "commission", label: "Highest commission" },
];

/** The columns of Campaign Management. */
export function campaignColumns(base: PortalBase, list: List): Column<ListedCampaignView>[] {
  const sort = (by: LineItemSort, direction: "ascending" | "descending" = "descending") => ({
    to: list.sortHref(list.sort === by ? "newest" : by),
    current: list.sort === by ? direction : undefined,
  });
  return [
    {
      header: "Campaign",
      sort: sort("name", "ascending"),
      place: "title",
      cell: ({ id, name, advertiserName, startDate, endDate, statusReason }) => (
        <RowTitle
          name={name}
          to={portalHref(base, `/campaigns/${id}`)}
          detail={`${advertiserName} · ${formatFlight(startDate, endDate)}`}
          narrowInstead={describeUnexpectedReason(statusReason, "publisher")}
        />
      ),
    },
    {
      header: "Status",
      name: "status",
      place: "status",
      width: 236,
      cell: (campaign) => (
        <>
          <CampaignStatusBadges campaign={campaign} />
          <StatusReasonText base={base} side="publisher" campaign={campaign} />
        </>
      ),
    },
    {
      header: "Budget",
      name: "budget",
      sort: sort("budget"),
      priority: 1,
      width: 130,
      cell: (campaign) => <Budget campaign={campaign} />,
    },
    {
      header: "Performance",
      name: "performance",
      sort: sort("impressions"),
      priority: 2,
      width: 226,
      cell: ({ impressions, clicks, ctr, conversions }) => (
        <span className="tabular-nums">
          {formatCount(impressions)}{" "}
          <span className="text-muted">{impressions === 1 ? "impression" : "impressions"}</span>
          <small title={pluralize(conversions, "conversion")}>
            {pluralize(clicks, "click")} · {ctr} · {formatCount(conversions)}{" "}
            <abbr className="no-underline" title="conversions">
              conv.
            </abbr>
          </small>
        </span>
      ),
    },
    {
      header: "Spend",
      name: "spend",
      optional: true,
      sort: sort("spent"),
      align: "right",
      priority: 4,
      width: 110,
      cell: ({ spentCents }) => formatCentsShort(spentCents),
    },
    {
      header: "CTR",
      name: "ctr",
      optional: true,
      sort: sort("ctr"),
      align: "right",
      priority: 3,
      width: 76,
      cell: ({ ctr }) => ctr,
    },
    {
      header: "Conversions",
      name: "conversions",
      optional: true,
      sort: sort("conversions"),
      align: "right",
      priority: 6,
      width: 108,
      cell: ({ conversions }) => formatCount(conversions),
    },
    {
      header: "Dates",
      name: "dates",
      optional: true,
      priority: 5,
      width: 190,
      cell: ({ startDate, endDate }) => formatFlight(startDate, endDate),
    },
    {
      header: "Commission",
      name: "commission",
      sort: sort("commission"),
      place: "amount",
      align: "right",
      cell: ({ commissionEarnedCents, commissionRate }) => (
        <>
          <strong>{formatCents(commissionEarnedCents)}</strong>
          <small>{commissionRate}%</small>
        </>
      ),
    },
  ];
}

/** The status of the running version, who created the campaign, and the decision on a version that does not run. */
export function CampaignStatusBadges({ campaign }: { campaign: Omit<ListedCampaignView, "ctr"> }) {
  const { status } = useOptimisticState(campaign);
  const runs = campaign.approvedVersion !== null;
  const rejected = campaign.approvalStatus === "rejected";
  return (
    <span className="badge-row">
      {status === campaign.status ? (
        <StatusBadge {...campaign} />
      ) : (
        <Badge tone={campaignStatusTones[status]}>{statusLabels[status]}</Badge>
      )}
      {campaign.managedByRetailer ? (
        <Badge tone="accent" dot={false}>
          Managed
        </Badge>
      ) : null}
      {runs && campaign.approvalStatus === "pending" ? (
        <Badge tone="warn" dot={false}>
          Change to review
        </Badge>
      ) : null}
      {runs && rejected ? (
        <Badge tone="bad" dot={false}>
          Change rejected
        </Badge>
      ) : null}
    </span>
  );
}

function Budget({ campaign: { totalBudgetCents, dailyBudgetCents, spentCents } }: { campaign: ListedCampaignView }) {
  if (totalBudgetCents === null) return "Not set";
  const perDay = dailyBudgetCents === null ? undefined : `${formatCentsShort(dailyBudgetCents)} per day`;
  return (
    <div className="spending" title={perDay}>
      <strong>{formatCentsShort(spentCents)}</strong>
      <Progress value={totalBudgetCents === 0 ? 0 : spentCents / totalBudgetCents} label="Budget spent" />
      <small>
        of {formatCentsShort(totalBudgetCents)}
        {perDay ? <span className="sr-only">, {perDay}</span> : null}
      </small>
    </div>
  );
}
