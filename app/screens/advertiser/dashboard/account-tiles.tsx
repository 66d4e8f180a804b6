import type { ComparedDays, WithDay } from "#app/domain/analytics/compare-days.server.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import type { CampaignCounts } from "#app/domain/campaigns/list-campaigns.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { hasDelivery } from "#app/screens/shared/dashboard/period-copy.ts";
import type { MetricFormat } from "#app/ui/chart/metric-format.ts";
import { Sparkline } from "#app/ui/chart/sparkline.tsx";
import { formatCompact, formatCount, formatRate, formatRatio, pluralize } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import { computeTrend } from "#app/ui/trend.ts";

type Shown = Pick<DeliveryMetrics, "impressions" | "clicks" | "spendCents" | "ctr" | "roas">;

/** The metrics that an advertiser sees here; publishers' earnings are not included. */
export function advertiserMetrics({ impressions, clicks, spendCents, ctr, roas }: DeliveryMetrics): Shown {
  return { impressions, clicks, spendCents, ctr, roas };
}

/**
 * The account's six metrics, each compared with the previous period; `running` is the number of campaigns running at
 * the end of each day.
 */
export function AccountTiles({
  counts,
  compared,
  running = [],
  to,
}: {
  counts: CampaignCounts;
  compared: ComparedDays<Shown>;
  running?: readonly number[];
  to: { active: string; figure: (metric: string) => string };
}) {
  const { totals, previous, days } = compared;
  // Today is incomplete, so it is left out.
  const complete = days.slice(0, -1);
  const delivered = hasDelivery(compared);
  const spark = (kind: MetricFormat, of: (day: WithDay<Shown>) => number | null) =>
    delivered ? <Sparkline kind={kind} values={complete.map(of)} /> : undefined;
  return (
    <StatTiles
      stats={[
        {
          label: "Active Campaigns",
          value: formatCount(counts.active),
          note: `of ${pluralize(counts.all, "campaign")}`,
          trend: computeTrend(running.at(-1) ?? null, running[0] ?? null),
          spark: delivered && running.length > 0 ? <Sparkline kind="count" values={running.slice(1)} /> : undefined,
          to: to.active,
        },
        {
          label: "Total Spend",
          value: formatCents(totals.spendCents),
          trend: computeTrend(totals.spendCents, previous.spendCents),
          rise: "neutral",
          spark: spark("money", ({ spendCents }) => spendCents),
          to: to.figure("Spend"),
        },
        {
          label: "Impressions",
          value: formatCompact(totals.impressions),
          trend: computeTrend(totals.impressions, previous.impressions),
          spark: spark("count", ({ impressions }) => impressions),
          to: to.figure("Impressions"),
        },
        {
          label: "Clicks",
          value: formatCompact(totals.clicks),
          trend: computeTrend(totals.clicks, previous.clicks),
          spark: spark("count", ({ clicks }) => clicks),
          to: to.figure("Clicks"),
        },
        {
          label: "CTR",
          value: formatRate(totals.ctr, totals.impressions),
          trend: computeTrend(totals.impressions === 0 ? null : totals.ctr, previous.ctr),
          spark: spark("percent", ({ impressions, ctr }) => (impressions === 0 ? null : ctr)),
          to: to.figure("CTR"),
        },
        {
          label: "ROAS",
          value: formatRatio(totals.roas),
          trend: computeTrend(totals.roas, previous.roas),
          spark: spark("times", ({ roas }) => roas),
          to: to.figure("ROAS"),
        },
      ]}
    />
  );
}
