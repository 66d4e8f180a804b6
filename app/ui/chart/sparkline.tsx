import { areaPath, isolatedPoints, linePath, plotWidth, xFraction, yPixels } from "./geometry.ts";
import { formatMetric, type MetricFormat } from "./metric-format.ts";

type SparklineData = {
  kind: MetricFormat;
  values: readonly (number | null)[];
  /** What a value is of. */
  interval?: "day" | "week" | "month";
};

const height = 28;

/**
 * The trend of a metric, without axes. Its accessible name contains the lowest and highest value; renders nothing
 * without values.
 */
export function Sparkline({ kind, values, interval = "day" }: SparklineData) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  const top = high || 1;
  return (
    <svg
      role="img"
      aria-label={`By ${interval} between ${formatMetric(kind, low)} and ${formatMetric(kind, high)}`}
      className="spark chart-line chart-line-main"
      width="100%"
      height={height}
    >
      <svg
        aria-hidden
        y="1"
        width="100%"
        height={height - 2}
        viewBox={`0 0 ${plotWidth} ${height - 2}`}
        preserveAspectRatio="none"
      >
        <path className="chart-area" d={areaPath(values, top, height - 2)} />
        <path d={linePath(values, top, height - 2)} />
      </svg>
      {isolatedPoints(values).map(({ index, value }) => (
        <circle
          key={index}
          className="chart-dot chart-line-main"
          cx={`${xFraction(index, values.length) * 100}%`}
          cy={Math.min(Math.max(yPixels(value, top, height), 3), height - 3)}
          r="3"
        />
      ))}
    </svg>
  );
}
