import { Link } from "@remix-run/react";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { Cents } from "#app/domain/money.ts";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card } from "#app/ui/layout.tsx";

/** What was spent, or earned, day by day beside the period before; `to` is where more is known. */
export function MoneyChart<Day extends { day: CalendarDate }>({
  title,
  compared: { days, previousDays },
  of,
  to,
}: {
  title: string;
  compared: { days: readonly Day[]; previousDays: readonly Day[] };
  of: (day: Day) => Cents;
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
      <TimeSeries
        title={`${title} by day`}
        days={days.map(({ day }) => day)}
        today={days.at(-1)?.day}
        lines={[
          { label: "This period", kind: "money", values: days.map(of) },
          {
            label: "Previous period",
            kind: "money",
            values: previousDays.map(of),
            look: "previous",
            days: previousDays.map(({ day }) => day),
          },
        ]}
      />
    </Card>
  );
}
