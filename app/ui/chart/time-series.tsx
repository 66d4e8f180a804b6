import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { roundAxes } from "./axis.ts";
import { type ChartLine, wordsOfChart } from "./chart-line.ts";
import { ChartTable } from "./chart-table.tsx";
import { isWhole } from "./measure.ts";
import { Plot } from "./plot.tsx";
import { tableOfSeries } from "./series-table.ts";

/**
 * Figures over days as lines, with their table. `title` names it for those who do not see it. Drawn by the server at any
 * width without scaling a letter; scripting adds the values under the pointer.
 */
export function TimeSeries({
  title,
  days,
  lines,
  also = [],
  today,
  empty = "No figures for this period yet.",
}: {
  title: string;
  days: readonly CalendarDate[];
  lines: readonly ChartLine[];
  /** Figures of the same days that only the table has. */
  also?: readonly ChartLine[];
  /** The day that is still going on: lines lead to it dashed, as it has not all of its figures yet. */
  today?: CalendarDate;
  /** Said where no line has a value. */
  empty?: string;
}) {
  if (!lines.some(({ values }) => values.some((value) => value !== null)))
    return <p className="chart-empty">{empty}</p>;
  const [left, right] = roundAxes([needOf(lines, "left"), needOf(lines, "right")]);
  if (!left || !right) return null;
  const wordsOfDay = (day: CalendarDate) => (day === today ? `${formatDate(day)}, so far` : formatDate(day));
  return (
    <figure className="chart">
      {lines.length > 1 ? (
        <ul className="chart-legend">
          {lines.map(({ label, look = "main" }) => (
            <li key={label}>
              <svg aria-hidden className={`chart-line chart-line-${look}`} width="20" height="8">
                <path d="M1 4H19" />
              </svg>
              {label}
            </li>
          ))}
        </ul>
      ) : null}
      <Plot
        label={wordsOfChart(title, days, lines)}
        days={days}
        lines={lines}
        left={left}
        open={today !== undefined && days.length > 1 && days.at(-1) === today}
        right={lines.some(({ axis }) => axis === "right") ? right : undefined}
      />
      <ChartTable caption={title} {...tableOfSeries(days, [...lines, ...also], wordsOfDay)} />
    </figure>
  );
}

function needOf(lines: readonly ChartLine[], side: "left" | "right") {
  const own = lines.filter(({ axis = "left" }) => axis === side);
  const max = own.flatMap(({ values }) => values).reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  return { max, whole: own.every(({ kind }) => isWhole(kind)) };
}
