import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import type { ChartLine } from "./chart-line.ts";
import { formatDay } from "./day-ticks.ts";
import { positionOf } from "./geometry.ts";
import { formatMeasure } from "./measure.ts";

/**
 * The values of the day under the pointer. Scripting alone makes it, so its place may be a style (set on the element,
 * which the CSP allows); it has nothing that the table has not.
 */
export function PlotTip({
  index,
  days,
  lines,
}: {
  index: number;
  days: readonly CalendarDate[];
  lines: readonly ChartLine[];
}) {
  const day = days[index];
  if (!day) return null;
  const position = positionOf(index, days.length);
  const place = position > 0.5 ? { right: `${(1 - position) * 100}%` } : { left: `${position * 100}%` };
  return (
    <div className="chart-tip" aria-hidden style={place}>
      <strong>{formatDate(day)}</strong>
      <dl>
        {lines.map((line) => {
          const other = line.days?.[index];
          return (
            <div key={line.label}>
              <dt>
                <svg aria-hidden className={`chart-line chart-line-${line.look ?? "main"}`} width="14" height="8">
                  <path d="M1 4H13" />
                </svg>
                {other ? `${line.label}, ${formatDay(other)}` : line.label}
              </dt>
              <dd>{formatMeasure(line.kind, line.values[index] ?? null)}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
