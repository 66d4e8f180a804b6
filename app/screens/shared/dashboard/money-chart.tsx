import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { Cents } from "#app/domain/money.ts";
import { LazyTimeSeries } from "#app/ui/chart/lazy-time-series.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** Daily spend or earnings, beside the previous period; `to` links to the details. */
export function MoneyChart<Day extends { day: CalendarDate }>({
  title,
  compared: { days, previousDays },
  getCents,
  to,
}: {
  title: string;
  compared: { days: readonly Day[]; previousDays: readonly Day[] };
  getCents: (day: Day) => Cents;
  to: string;
}) {
  return (
    <Card
      title={title}
      aside={
        <Link className="link" to={to} prefetch="intent">
          See analytics
        </Link>
      }
    >
      <LazyTimeSeries
        title={`${title} by day`}
        days={days.map(({ day }) => day)}
        today={days.at(-1)?.day}
        lines={[
          { label: "This period", kind: "money", values: days.map(getCents) },
          {
            label: "Previous period",
            kind: "money",
            values: previousDays.map(getCents),
            variant: "previous",
            days: previousDays.map(({ day }) => day),
          },
        ]}
      />
    </Card>
  );
}
