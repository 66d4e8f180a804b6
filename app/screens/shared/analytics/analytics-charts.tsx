import type { AccountType } from "#app/domain/accounts/account.ts";
import { keyFigures } from "#app/domain/analytics/performance-columns.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { Breakdown } from "#app/ui/chart/breakdown.tsx";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card } from "#app/ui/layout.tsx";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

type Charts = {
  metric: string;
  today: CalendarDate;
  days: CalendarDate[];
  values: (number | null)[];
  previousDays: CalendarDate[];
  previousValues: (number | null)[];
  channels: { id: string; label: string; value: number | null }[];
};

/** One figure by day, with the period before, and by channel. */
export function AnalyticsCharts({
  side,
  search,
  charts,
}: {
  side: AccountType;
  search: AnalyticsSearch;
  charts: Charts;
}) {
  const { metric, today, days, values, previousDays, previousValues, channels } = charts;
  const kind = keyFigures[side].find(({ label }) => label === metric)?.kind ?? "count";
  return (
    <div className="split">
      <Card title={`${metric} by day`}>
        <TimeSeries
          title={`${metric} by day`}
          days={days}
          today={today}
          lines={[
            { label: metric, kind, values },
            { label: "Period before", kind, values: previousValues, look: "previous", days: previousDays },
          ]}
        />
      </Card>
      <Card title={`${metric} by channel`}>
        <Breakdown
          title={`${metric} by channel`}
          of="Channel"
          measure={{ label: metric, kind }}
          parts={channels.map((channel) => ({ ...channel, to: analyticsQuery(search, { channel: channel.id }) }))}
          empty="No channel delivered in this period."
        />
      </Card>
    </div>
  );
}
