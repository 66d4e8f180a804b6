import type { ReactNode } from "react";
import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { niceAxes } from "./axis.ts";
import { ChartTable } from "./chart-table.tsx";
import type { PartialEnds } from "./geometry.ts";
import { formatMetric, isAdditive } from "./metric-format.ts";
import { Plot } from "./plot.tsx";
import {
  type ChartMark,
  type ChartSeries,
  describeChart,
  hasAverage,
  maxOf,
  type PlacedSeries,
  placeOnAxes,
} from "./series.ts";
import { seriesTableData } from "./series-table-data.ts";

/**
 * Metrics by day, week or month as lines, with their table. `title` is the accessible name. The server draws the chart
 * for any width without scaling text; scripting adds the values under the pointer.
 */
export function TimeSeries({
  title,
  head = "Day",
  days,
  labels: names,
  lines: given,
  tableOnly = [],
  today,
  partialEnds = noEnds,
  marks = [],
  note,
  empty = "No data for this period yet.",
}: {
  title: string;
  /** What a point is, if not a day. */
  head?: string;
  /** The first day of each point. */
  days: readonly CalendarDate[];
  /** The names of the points where they are not days. */
  labels?: readonly string[];
  lines: readonly ChartSeries[];
  /** Metrics of the same days that only the table shows. */
  tableOnly?: readonly ChartSeries[];
  /** Today, which is incomplete: the lines to it are dashed. */
  today?: CalendarDate;
  /** Which ends are incomplete for another reason. */
  partialEnds?: PartialEnds;
  /** What happened, on the axis of time; the page lists it as text. */
  marks?: readonly ChartMark[];
  /** Definitions below the plot. */
  note?: ReactNode;
  /** Shown if no line has a value. */
  empty?: string;
}) {
  const lines = placeOnAxes(given);
  if (!lines.some(({ values }) => values.some((value) => value !== null)))
    return <p className="chart-empty">{empty}</p>;
  const [left, right] = niceAxes([needOf(lines, "left"), needOf(lines, "right")]);
  if (!left || !right) return null;
  const labels = names ?? days.map((day) => (day === today ? `${formatDate(day)}, so far` : formatDate(day)));
  const endsToday = today !== undefined && days.at(-1) === today;
  return (
    <figure className="chart">
      {lines.length > 1 ? (
        <ul className="chart-legend">
          {lines.map(({ label, variant = "main", axis }) => (
            <LegendEntry key={label} variant={variant} label={axis === "right" ? `${label} (right axis)` : label} />
          ))}
          {lines
            .filter(isMain)
            .map(({ kind, average = null }) =>
              average === null ? null : (
                <LegendEntry key="average" variant="average" label={`Average ${formatMetric(kind, average)}`} />
              ),
            )}
          {marks.length > 0 ? (
            <li>
              <svg aria-hidden className="chart-mark" width="12" height="12">
                <path d="M6 1L11 6L6 11L1 6Z" />
              </svg>
              Campaign changes
            </li>
          ) : null}
        </ul>
      ) : null}
      <Plot
        label={describeChart(title, { days, lines, marks })}
        days={days}
        labels={labels}
        lines={lines}
        left={left}
        partialEnds={days.length > 1 ? { ...partialEnds, last: partialEnds.last || endsToday } : noEnds}
        right={lines.some(({ axis }) => axis === "right") ? right : undefined}
        marks={marks}
      />
      {note}
      <ChartTable caption={title} {...seriesTableData({ head, labels, lines: [...lines, ...tableOnly] })} />
    </figure>
  );
}

const noEnds: PartialEnds = { first: false, last: false };

function isMain(line: ChartSeries): boolean {
  return hasAverage(line) && (line.variant ?? "main") === "main";
}

function LegendEntry({ variant, label }: { variant: string; label: string }) {
  return (
    <li>
      <svg aria-hidden className={`chart-line chart-line-${variant}`} width="20" height="8">
        <path d="M1 4H19" />
      </svg>
      {label}
    </li>
  );
}

function needOf(lines: readonly PlacedSeries[], side: PlacedSeries["axis"]) {
  const own = lines.filter(({ axis }) => axis === side);
  return { max: maxOf(own), whole: own.every(({ kind }) => isAdditive(kind)) };
}
