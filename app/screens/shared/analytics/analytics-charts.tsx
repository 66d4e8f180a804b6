import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Interval } from "#app/domain/analytics/analytics.ts";
import { keyMetrics } from "#app/domain/analytics/performance-columns.ts";
import { channels as allChannels } from "#app/domain/campaigns/campaign.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Breakdown } from "#app/ui/chart/breakdown.tsx";
import { LazyTimeSeries } from "#app/ui/chart/lazy-time-series.tsx";
import type { ChartSeries } from "#app/ui/chart/series.ts";
import { Card } from "#app/ui/page-header.tsx";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";
import { CampaignChanges } from "./campaign-changes.tsx";
import { ChartControls } from "./chart-controls.tsx";
import { describeAverage } from "./describe-average.ts";
import type { Charts } from "./load-analytics.server.ts";

/**
 * One or two metrics over time, with the previous period and the average of the first and the marks of campaign
 * changes, and the first by channel.
 */
export function AnalyticsCharts({
  base,
  side,
  search,
  charts,
}: {
  base: PortalBase;
  side: AccountType;
  search: AnalyticsSearch;
  charts: Charts;
}) {
  const { interval, series, points, channels, averagedCount, partialEnds } = charts;
  const [main, second] = series;
  if (!main) return null;
  const column = columnOf(side, main.label);
  const title = `${[main, second].flatMap((one) => one?.label ?? []).join(" and ")} by ${interval}`;
  return (
    <div className="main-and-aside">
      <Card title={title}>
        <div className="stack">
          <ChartControls side={side} search={search} metric={main.label} second={second?.label} interval={interval} />
          <LazyTimeSeries
            title={title}
            head={headOf[interval]}
            days={points.map(({ day }) => day)}
            labels={points.map(({ label }) => label)}
            partialEnds={partialEnds}
            lines={linesOf(side, charts)}
            marks={charts.marks}
            note={
              main.average === null ? null : (
                <p className="chart-note">
                  {describeAverage(main.label, { isRatio: column?.isRatio, interval, averagedCount, partialEnds })}
                </p>
              )
            }
          />
          <CampaignChanges base={base} marks={charts.marks} readFrom={charts.marksFrom} />
        </div>
      </Card>
      <Card title={`${main.label} by channel`}>
        <Breakdown
          title={`${main.label} by channel`}
          dimension="Channel"
          measure={{ label: main.label, kind: column?.kind ?? "count", isRatio: column?.isRatio }}
          parts={channels.map((part) => {
            const channel = allChannels.find((one) => one === part.id);
            return {
              ...part,
              image: channel ? <BrandMark brand={channel} /> : undefined,
              to: analyticsQuery(search, { channel }),
            };
          })}
          empty="No delivery in this period."
        />
      </Card>
    </div>
  );
}

const headOf: Record<Interval, string> = { day: "Day", week: "Week", month: "Month" };

function columnOf(side: AccountType, metric: string) {
  return keyMetrics[side].find(({ label }) => label === metric);
}

/** The lines of the chart: one or two metrics, and the previous period of the first. */
function linesOf(side: AccountType, { series, previousPoints }: Charts): ChartSeries[] {
  const [main, second] = series;
  const kindOf = (label: string) => columnOf(side, label)?.kind ?? "count";
  if (!main) return [];
  const kind = kindOf(main.label);
  const secondLines: ChartSeries[] = second
    ? [
        {
          label: second.label,
          kind: kindOf(second.label),
          values: second.values,
          average: second.average,
          variant: "second",
        },
      ]
    : [];
  return [
    { label: main.label, kind, values: main.values, average: main.average },
    ...secondLines,
    {
      label: second ? `${main.label}, previous period` : "Previous period",
      kind,
      values: main.previousValues,
      variant: "previous",
      days: previousPoints.map(({ day }) => day),
      dayLabels: previousPoints.map(({ label }) => label),
    },
  ];
}
