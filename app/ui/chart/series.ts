import { type CalendarDate, formatFlight } from "#app/domain/calendar-date.ts";
import { formatMetric, type MetricFormat } from "./metric-format.ts";

/** How a line is drawn: the main metric, a second one, the previous period of either, a plan, or a projection. */
type SeriesStyle = "main" | "second" | "previous" | "previous-second" | "planned" | "projected";

/** A line of a chart: a value for each of its days, at least 0, or null if there is none. */
export type ChartSeries = {
  label: string;
  kind: MetricFormat;
  values: readonly (number | null)[];
  variant?: SeriesStyle;
  /** The second metric and its previous period have their own axis on the right. */
  axis?: "left" | "right";
  /** The days of the values, if they differ from the chart's: those of the previous period. */
  days?: readonly CalendarDate[];
  /** The names of these points where they are not days. */
  dayLabels?: readonly string[];
  /** The average of the values, in the table; that of the main line is also drawn. */
  average?: number | null;
};

export function hasAverage({ average = null }: ChartSeries): boolean {
  return average !== null;
}

/** What happened in the interval of a point, such as `2 changes. Launched: Packs. Paused: Tents`. */
export type ChartMark = { index: number; label: string; isMany: boolean };

/** Describes the chart in one sentence, for screen readers. */
export function describeChart(
  title: string,
  { days, lines, marks }: { days: readonly CalendarDate[]; lines: readonly ChartSeries[]; marks: readonly ChartMark[] },
): string {
  const spans = lines.flatMap(({ label, kind, values, days: others, average = null }) => {
    const known = values.filter((value) => value !== null);
    if (others || known.length === 0) return [];
    // Not Math.min(...known), which would overflow the stack for a long list.
    const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
    const mean = average === null ? "" : `, ${formatMetric(kind, average)} on average`;
    return [`${label} between ${formatMetric(kind, low)} and ${formatMetric(kind, high)}${mean}`];
  });
  return `${title}, ${formatFlight(days[0] ?? null, days.at(-1) ?? null)}: ${spans.join(", ")}${marks.length > 0 ? ". Campaign changes are listed below" : ""}`;
}
