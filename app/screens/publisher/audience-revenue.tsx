import type { OfDay } from "#app/domain/analytics/compare-days.server.ts";
import type { Figures } from "#app/domain/analytics/figures.ts";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card } from "#app/ui/layout.tsx";

/** What an audience earned in the last days, and on how many impressions; nothing where it did not. */
export function AudienceRevenue({ days }: { days: readonly OfDay<Pick<Figures, "impressions" | "earnedCents">>[] }) {
  if (!days.some(({ impressions }) => impressions > 0)) return null;
  return (
    <Card title="Revenue" aside={<span className="hint">Last {days.length} days</span>}>
      <TimeSeries
        title="Revenue by day"
        days={days.map(({ day }) => day)}
        today={days.at(-1)?.day}
        lines={[
          { label: "Earned", kind: "money", values: days.map(({ earnedCents }) => earnedCents) },
          {
            label: "Impressions",
            kind: "count",
            values: days.map(({ impressions }) => impressions),
            look: "second",
            axis: "right",
          },
        ]}
      />
    </Card>
  );
}
