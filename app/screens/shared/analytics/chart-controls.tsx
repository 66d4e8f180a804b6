import type { AccountType } from "#app/domain/accounts/account.ts";
import { type Interval, intervals } from "#app/domain/analytics/analytics.ts";
import { keyMetrics } from "#app/domain/analytics/performance-columns.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { AnalyticsForm } from "./analytics-form.tsx";
import type { AnalyticsSearch } from "./analytics-search.ts";

/** The metrics of the chart and the length of its points. */
export function ChartControls({
  side,
  search,
  metric,
  second,
  interval,
}: {
  side: AccountType;
  search: AnalyticsSearch;
  metric: string;
  second: string | undefined;
  interval: Interval;
}) {
  const labels = keyMetrics[side].map(({ label }) => label);
  const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  return (
    <AnalyticsForm search={search} fields={["metric", "second", "interval"]} label="Chart">
      <SelectField name="metric" label="Metric" defaultValue={metric} options={optionsOf(labels)} />
      <SelectField
        name="second"
        label="Second metric"
        emptyLabel="None"
        defaultValue={second}
        options={optionsOf(labels.filter((label) => label !== metric))}
      />
      <SelectField
        name="interval"
        label="Interval"
        defaultValue={interval}
        options={intervals.map((value) => ({ value, label: intervalLabels[value] }))}
      />
      <div className="actions">
        <Button>Apply</Button>
      </div>
    </AnalyticsForm>
  );
}

const intervalLabels: Record<Interval, string> = { day: "Days", week: "Weeks", month: "Months" };
