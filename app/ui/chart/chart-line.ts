import { type CalendarDate, formatFlight } from "#app/domain/calendar-date.ts";
import { formatMeasure, type MeasureKind } from "./measure.ts";

/** How a line is drawn: the measure itself, a second one, either one's previous period, a plan, where it leads. */
type LineLook = "main" | "second" | "previous" | "previous-second" | "planned" | "projected";

/** A line of a chart: a value for each of its days, none below 0, null where there is none. */
export type ChartLine = {
  label: string;
  kind: MeasureKind;
  values: readonly (number | null)[];
  look?: LineLook;
  /** The second measure has an axis of its own on the right, and so has its previous period. */
  axis?: "left" | "right";
  /** Where the values are of other days than the chart's: those of the previous period. */
  days?: readonly CalendarDate[];
};

/** The chart in one sentence, for those who do not see it. */
export function wordsOfChart(title: string, days: readonly CalendarDate[], lines: readonly ChartLine[]): string {
  const spans = lines.flatMap(({ label, kind, values, days: others }) => {
    const known = values.filter((value) => value !== null);
    if (others || known.length === 0) return [];
    // Not Math.min(...known), which a long list would break.
    const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
    return [`${label} between ${formatMeasure(kind, low)} and ${formatMeasure(kind, high)}`];
  });
  return `${title}, ${formatFlight(days[0] ?? null, days.at(-1) ?? null)}: ${spans.join(", ")}`;
}
