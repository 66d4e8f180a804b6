import type { WithDay } from "#app/domain/analytics/compare-days.server.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { LazyTimeSeries } from "#app/ui/chart/lazy-time-series.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** An audience's recent daily earnings and impressions; renders nothing if there are none. */
export function AudienceRevenue({
  days,
}: {
  days: readonly WithDay<Pick<DeliveryMetrics, "impressions" | "earnedCents">>[];
}) {
  if (!days.some(({ impressions }) => impressions > 0)) return null;
  return (
    <Card title="Revenue" aside={<span className="hint">Last {days.length} days</span>}>
      <LazyTimeSeries
        title="Revenue by day"
        days={days.map(({ day }) => day)}
        today={days.at(-1)?.day}
        lines={[
          { label: "Earned", kind: "money", values: days.map(({ earnedCents }) => earnedCents) },
          {
            label: "Impressions",
            kind: "count",
            values: days.map(({ impressions }) => impressions),
            variant: "second",
          },
        ]}
      />
    </Card>
  );
}
