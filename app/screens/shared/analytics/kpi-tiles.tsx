import type { ComponentProps } from "react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Interval } from "#app/domain/analytics/analytics.ts";
import type { OwnMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { keyMetrics } from "#app/domain/analytics/performance-columns.ts";
import { formatMetric } from "#app/ui/chart/metric-format.ts";
import { Sparkline } from "#app/ui/chart/sparkline.tsx";
import { Definitions } from "#app/ui/definitions.tsx";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import { computeTrend } from "#app/ui/trend.ts";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

/**
 * The period's metrics compared with the previous period. Each links to its chart; those that are in it are marked.
 * Choosing the second metric as the first exchanges the two.
 */
export function KpiTiles({
  side,
  search,
  totals,
  previous,
  sparks,
  series: [main, second],
  interval,
  definitions,
}: {
  side: AccountType;
  search: AnalyticsSearch;
  totals: OwnMetrics;
  previous: OwnMetrics;
  sparks: readonly (readonly (number | null)[])[];
  /** The metrics of the chart. */
  series: readonly { label: string }[];
  /** The interval of the chart, and of the tiles' sparklines. */
  interval: Interval;
  definitions: ComponentProps<typeof Definitions>["of"];
}) {
  return (
    <div className="grid gap-2">
      <StatTiles
        stats={keyMetrics[side].map(({ label, kind, rise, of }, place) => {
          const values = sparks[place];
          return {
            label,
            value: formatMetric(kind, of(totals)),
            note: `${formatMetric(kind, of(previous))} previous period`,
            trend: computeTrend(of(totals), of(previous)),
            rise,
            spark: values ? <Sparkline kind={kind} values={values} interval={interval} /> : undefined,
            to: analyticsQuery(search, {
              metric: label,
              ...(label === second?.label && { second: main?.label }),
            }),
            isCurrent: label === main?.label,
            mark: label === second?.label ? "second metric of the chart" : undefined,
          };
        })}
      />
      <Definitions of={definitions} />
    </div>
  );
}
