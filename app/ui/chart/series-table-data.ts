import { formatDate } from "#app/domain/calendar-date.ts";
import { type ChartTableColumn, numberColumn } from "./chart-table.tsx";
import { formatMetric } from "./metric-format.ts";
import { type ChartSeries, hasAverage } from "./series.ts";

type Points = {
  /** What a point is: a day or a week. */
  head: string;
  labels: readonly string[];
  lines: readonly ChartSeries[];
};

/**
 * Returns the lines as columns with a row per point; the points of a previous period have their own column before its
 * first line. The last row has the averages.
 */
export function seriesTableData({ head, labels, lines }: Points): {
  columns: ChartTableColumn[];
  rows: string[][];
  foot?: string[];
} {
  const others = lines.find((line) => line.days);
  const own = lines.filter((line) => !line.days);
  const before = lines.filter((line) => line.days);
  return {
    columns: [
      { head },
      ...own.map(({ label }) => numberColumn(label)),
      ...(others ? [{ head: "Previous period" }] : []),
      ...before.map(({ label }) => numberColumn(label)),
    ],
    rows: labels.map((label, index) => [
      label,
      ...own.map((line) => valueAt(line, index)),
      ...(others ? [pointLabel(others, index)] : []),
      ...before.map((line) => valueAt(line, index)),
    ]),
    ...(lines.some(hasAverage) && {
      foot: [
        "Average",
        ...own.map(({ kind, average = null }) => (average === null ? "" : formatMetric(kind, average))),
        ...(others ? [""] : []),
        ...before.map(() => ""),
      ],
    }),
  };
}

function valueAt({ kind, values }: ChartSeries, index: number): string {
  return formatMetric(kind, values[index] ?? null);
}

function pointLabel({ days, dayLabels }: ChartSeries, index: number): string {
  const day = days?.[index];
  return dayLabels?.[index] ?? (day ? formatDate(day) : "–");
}
