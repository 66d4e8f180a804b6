import type { ComparedDays } from "#app/domain/analytics/compare-days.server.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import type { LineItemSummary } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { hasDelivery } from "#app/screens/shared/dashboard/period-copy.ts";
import { Sparkline } from "#app/ui/chart/sparkline.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import { computeTrend } from "#app/ui/trend.ts";

type Shown = Pick<DeliveryMetrics, "impressions" | "earnedCents">;

/** The metrics that a publisher sees here; the advertiser's conversions and revenue are not included. */
export function publisherMetrics({ impressions, earnedCents }: DeliveryMetrics): Shown {
  return { impressions, earnedCents };
}

/** The account's four metrics; earnings are those of the period, compared with the previous one. */
export function AccountTiles({
  counts,
  activeAudiences,
  compared,
  to,
}: {
  counts: LineItemSummary;
  activeAudiences: number;
  compared: ComparedDays<Shown>;
  to: { audiences: string; revenue: string; approval: string; managed: string };
}) {
  const { totals, previous, days } = compared;
  return (
    <StatTiles
      stats={[
        {
          label: "Active Audiences",
          value: formatCount(activeAudiences),
          note: "ready for campaigns",
          to: to.audiences,
        },
        {
          label: "Revenue Earned",
          value: formatCents(totals.earnedCents),
          trend: computeTrend(totals.earnedCents, previous.earnedCents),
          note: `${formatCents(counts.commissionCents)} all time`,
          spark: hasDelivery(compared) ? (
            <Sparkline kind="money" values={days.slice(0, -1).map(({ earnedCents }) => earnedCents)} />
          ) : undefined,
          to: to.revenue,
        },
        {
          label: "Pending Approvals",
          value: formatCount(counts.approval.pending),
          note: "pending your review",
          to: to.approval,
        },
        {
          label: "Managed Campaigns",
          value: formatCount(counts.management.managed),
          note: `${pluralize(counts.management.active, "active campaign")} in total`,
          to: to.managed,
        },
      ]}
    />
  );
}
