import { type CalendarDate, formatFlight } from "#app/domain/calendar-date.ts";
import { formatMetric, type MetricFormat } from "./metric-format.ts";

/** How a line is drawn: the main metric, a second one, the previous period of the main one, a plan, or a projection. */
type SeriesStyle = "main" | "second" | "previous" | "planned" | "projected";

/** A line of a chart: a value for each of its days, at least 0, or null if there is none. */
export type ChartSeries = {
  label: string;
  kind: MetricFormat;
  values: readonly (number | null)[];
  variant?: SeriesStyle;
  /** The days of the values, if they differ from the chart's: those of the previous period. */
  days?: readonly CalendarDate[];
  /** The names of these points where they are not days. */
  dayLabels?: readonly string[];
  /** The average of the values, in the table; that of the main line is also drawn. */
  average?: number | null;
};

/** A line with the axis that it is drawn by. */
export type PlacedSeries = ChartSeries & { axis: "left" | "right" };

/**
 * Below this share of an axis the changes of a line cannot be seen, as of clicks beside a hundred times as many
 * impressions.
 */
const minShareOfAxis = 0.1;

/**
 * Places the second metric on an axis of its own, on the right, unless both have one unit and can be read on one axis,
 * where they are compared.
 */
export function placeOnAxes(lines: readonly ChartSeries[]): PlacedSeries[] {
  const second = lines.filter(isSecond);
  const first = lines.filter((line) => !isSecond(line));
  const [low = 0, high = 0] = [maxOf(first), maxOf(second)].sort((one, other) => one - other);
  const isTooLow = low > 0 && low < high * minShareOfAxis;
  const hasOwnAxis = isTooLow || second[0]?.kind !== first[0]?.kind;
  return lines.map((line) => ({ ...line, axis: hasOwnAxis && isSecond(line) ? "right" : "left" }));
}

/** Returns the highest value of the lines; 0 without one. */
export function maxOf(lines: readonly ChartSeries[]): number {
  return lines.flatMap(({ values }) => values).reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

function isSecond({ variant }: ChartSeries): boolean {
  return variant === "second";
}

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
