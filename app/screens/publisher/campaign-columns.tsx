import { Link } from "@remix-run/react";
import { formatFlight } from "#app/domain/calendar-date.ts";
import { campaignStatusTones, statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";
import { formatCents, formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount, formatNumberOf, formatPercent } from "#app/ui/format.ts";
import { Progress } from "#app/ui/progress.tsx";
import type { Column } from "#app/ui/table.tsx";
import { useShownState } from "./pause-form.tsx";

/** The columns of Campaign Management. */
export function campaignColumns(base: PortalBase): Column<PublisherCampaign>[] {
  return [
    {
      head: "Campaign",
      wide: true,
      cell: ({ id, name, advertiserName, startDate, endDate }) => (
        <>
          <Link className="row-link wrap-anywhere" to={portalHref(base, `/campaigns/${id}`)} prefetch="intent">
            {name}
          </Link>
          <small>
            {advertiserName} · {formatFlight(startDate, endDate)}
          </small>
        </>
      ),
    },
    { head: "Status", cell: (campaign) => <StatusBadges campaign={campaign} /> },
    { head: "Budget", cell: (campaign) => <Budget campaign={campaign} /> },
    {
      head: "Performance",
      cell: ({ impressions, clicks, ctr, conversions }) => (
        <span className="num">
          {formatCount(impressions)}{" "}
          <span className="text-muted">{impressions === 1 ? "impression" : "impressions"}</span>
          <small>
            {formatNumberOf(clicks, "click")} · {formatPercent(ctr)}
          </small>
          <small>{formatNumberOf(conversions, "conversion")}</small>
        </span>
      ),
    },
    {
      head: "Commission",
      right: true,
      cell: ({ commissionEarnedCents, commissionRate }) => (
        <>
          <strong>{formatCents(commissionEarnedCents)}</strong>
          <small>{commissionRate}%</small>
        </>
      ),
    },
  ];
}

/** The state of what runs, who made it, and what was said of a version that does not run. */
export function StatusBadges({ campaign }: { campaign: PublisherCampaign }) {
  const { status } = useShownState(campaign);
  const changed = campaign.approvalStatus === "pending" && campaign.approvedVersion !== null;
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={campaignStatusTones[status]}>{statusLabels[status]}</Badge>
      {campaign.managedByRetailer ? (
        <Badge tone="accent" dot={false}>
          Managed
        </Badge>
      ) : null}
      {changed ? (
        <Badge tone="warn" dot={false}>
          Change to review
        </Badge>
      ) : null}
      {campaign.approvalStatus === "rejected" ? (
        <Badge tone="bad" dot={false}>
          {campaign.approvedVersion === null ? "Rejected" : "Change rejected"}
        </Badge>
      ) : null}
    </span>
  );
}

function Budget({ campaign: { totalBudgetCents, dailyBudgetCents, spentCents } }: { campaign: PublisherCampaign }) {
  if (totalBudgetCents === null) return "Not set";
  return (
    <span className="num grid gap-1">
      <span>
        <strong>{formatCentsShort(spentCents)}</strong>{" "}
        <span className="text-muted">spent of {formatCentsShort(totalBudgetCents)}</span>
      </span>
      <Progress value={totalBudgetCents === 0 ? 0 : spentCents / totalBudgetCents} label="Budget spent" />
      {dailyBudgetCents === null ? null : <small>{formatCentsShort(dailyBudgetCents)} per day</small>}
    </span>
  );
}
