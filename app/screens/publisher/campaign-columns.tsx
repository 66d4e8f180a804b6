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
          <small>{advertiserName}</small>
          <small className="whitespace-nowrap">{formatFlight(startDate, endDate)}</small>
        </>
      ),
    },
    { head: "Status", cell: (campaign) => <StatusBadges campaign={campaign} /> },
    { head: "Budget", cell: (campaign) => <Budget campaign={campaign} /> },
    {
      head: "Performance",
      cell: ({ impressions, clicks, ctr, conversions }) => (
        <span className="num whitespace-nowrap">
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
  const runs = campaign.approvedVersion !== null;
  const rejected = campaign.approvalStatus === "rejected";
  return (
    <span className="flex flex-wrap gap-1.5">
      {rejected && !runs ? (
        <Badge tone="bad">{statusLabels.rejected}</Badge>
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

function Budget({ campaign: { totalBudgetCents, dailyBudgetCents, spentCents } }: { campaign: PublisherCampaign }) {
  if (totalBudgetCents === null) return "Not set";
  return (
    <span className="num grid gap-1 whitespace-nowrap">
      <span>
        <strong>{formatCentsShort(spentCents)}</strong>{" "}
        <span className="text-muted">of {formatCentsShort(totalBudgetCents)}</span>
      </span>
      <Progress value={totalBudgetCents === 0 ? 0 : spentCents / totalBudgetCents} label="Budget spent" />
      <small>spent{dailyBudgetCents === null ? "" : ` · ${formatCentsShort(dailyBudgetCents)} per day`}</small>
    </span>
  );
}
