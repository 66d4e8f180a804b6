import type { AccountDay, ComparedDays } from "#app/domain/delivery/account-days.server.ts";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card } from "#app/ui/layout.tsx";

/** What was spent, or earned, day by day beside the period before. */
export function MoneyChart({
  title,
  compared,
  of,
}: {
  title: string;
  compared: ComparedDays;
  of: (day: AccountDay) => number;
}) {
  const { days, previousDays } = compared;
  return (
    <Card title={title}>
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
