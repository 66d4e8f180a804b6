import type { ComparedDays, OfDay } from "#app/domain/analytics/compare-days.server.ts";
import type { Figures } from "#app/domain/analytics/figures.ts";
import type { CampaignCounts } from "#app/domain/campaigns/list-campaigns.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { hasDelivery } from "#app/screens/shared/dashboard/period-words.ts";
import type { MeasureKind } from "#app/ui/chart/measure.ts";
import { formatCompact, formatCount, formatNumberOf, formatPercent, formatTimes } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { trendOf } from "#app/ui/trend.ts";

type Shown = Pick<Figures, "impressions" | "clicks" | "spendCents" | "ctr" | "roas">;

/** What of its figures an advertiser sees here: its publishers' earnings are not its affair. */
export function shownToAdvertiser({ impressions, clicks, spendCents, ctr, roas }: Figures): Shown {
  return { impressions, clicks, spendCents, ctr, roas };
}

/** The six figures of the account, each against the period before; `running` is how many campaigns ran at each day's end. */
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
  // Of today there is a part only.
  const complete = days.slice(0, -1);
  const delivered = hasDelivery(compared);
  const spark = (kind: MeasureKind, of: (day: OfDay<Shown>) => number | null) =>
    delivered ? { kind, values: complete.map(of) } : undefined;
  return (
    <StatTiles
      stats={[
        {
          label: "Active Campaigns",
          value: formatCount(counts.active),
          note: `of ${formatNumberOf(counts.all, "campaign")}`,
          trend: trendOf(running.at(-1) ?? null, running[0] ?? null),
          spark: delivered && running.length > 0 ? { kind: "count", values: running.slice(1) } : undefined,
          to: to.active,
        },
        {
          label: "Total Spend",
          value: formatCents(totals.spendCents),
          trend: trendOf(totals.spendCents, previous.spendCents),
          spark: spark("money", ({ spendCents }) => spendCents),
          to: to.figure("Spend"),
        },
        {
          label: "Impressions",
          value: formatCompact(totals.impressions),
          trend: trendOf(totals.impressions, previous.impressions),
          spark: spark("count", ({ impressions }) => impressions),
          to: to.figure("Impressions"),
        },
        {
          label: "Clicks",
          value: formatCompact(totals.clicks),
          trend: trendOf(totals.clicks, previous.clicks),
          spark: spark("count", ({ clicks }) => clicks),
          to: to.figure("Clicks"),
        },
        {
          label: "CTR",
          value: formatPercent(totals.ctr),
          trend: trendOf(totals.impressions === 0 ? null : totals.ctr, previous.ctr),
          spark: spark("percent", ({ impressions, ctr }) => (impressions === 0 ? null : ctr)),
          to: to.figure("CTR"),
        },
        {
          label: "ROAS",
          value: formatTimes(totals.roas),
          trend: trendOf(totals.roas, previous.roas),
          spark: spark("times", ({ roas }) => roas),
          to: to.figure("ROAS"),
        },
      ]}
    />
  );
}
