import { formatDay } from "./day-ticks.ts";
import { xFraction } from "./geometry.ts";
import { formatMetric } from "./metric-format.ts";
import type { ChartSeries } from "./series.ts";

/**
 * The values of the point under the pointer. Only rendered with scripting, so its position may be an inline style (set
 * on the element, which the CSP allows); it contains nothing that the table lacks.
 */
export function ChartTooltip({
  index,
  labels,
  lines,
  mark,
}: {
  index: number;
  labels: readonly string[];
  lines: readonly ChartSeries[];
  mark: string | undefined;
}) {
  const position = xFraction(index, labels.length);
  const place = position > 0.5 ? { right: `${(1 - position) * 100}%` } : { left: `${position * 100}%` };
  return (
    <div className="chart-tooltip" aria-hidden style={place}>
      <strong>{labels[index]}</strong>
      <dl>
        {lines.map((line) => {
          const other = line.days?.[index];
          return (
            <div key={line.label}>
              <dt>
                <svg aria-hidden className={`chart-line chart-line-${line.variant ?? "main"}`} width="14" height="8">
                  <path d="M1 4H13" />
                </svg>
                {other ? `${line.label}, ${line.dayLabels?.[index] ?? formatDay(other)}` : line.label}
              </dt>
              <dd>{formatMetric(line.kind, line.values[index] ?? null)}</dd>
            </div>
          );
        })}
      </dl>
      {mark ? <p>{mark}</p> : null}
    </div>
  );
}
