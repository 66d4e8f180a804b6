import type { ComparedDays } from "#app/domain/analytics/compare-days.server.ts";
import type { Figures } from "#app/domain/analytics/figures.ts";
import type { LineItemSummary } from "#app/domain/campaigns/list-line-items.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { hasDelivery } from "#app/screens/shared/dashboard/period-words.ts";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { trendOf } from "#app/ui/trend.ts";

type Shown = Pick<Figures, "impressions" | "earnedCents">;

/** What of its figures a publisher sees here: what campaigns bring their advertiser is not its affair. */
export function shownToPublisher({ impressions, earnedCents }: Figures): Shown {
  return { impressions, earnedCents };
}

/** The four figures of the account; what was earned is that of the period, against the one before. */
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
          note: "ready to be used in campaigns",
          to: to.audiences,
        },
        {
          label: "Revenue Earned",
          value: formatCents(totals.earnedCents),
          trend: trendOf(totals.earnedCents, previous.earnedCents),
          note: `${formatCents(counts.commissionCents)} in all`,
          spark: hasDelivery(compared)
            ? { kind: "money", values: days.slice(0, -1).map(({ earnedCents }) => earnedCents) }
            : undefined,
          to: to.revenue,
        },
        {
          label: "Pending Approvals",
          value: formatCount(counts.approval.pending),
          note: "waiting for your decision",
          to: to.approval,
        },
        {
          label: "Managed Campaigns",
          value: formatCount(counts.management.managed),
          note: `${formatNumberOf(counts.management.active, "campaign")} active overall`,
          to: to.managed,
        },
      ]}
    />
  );
}
