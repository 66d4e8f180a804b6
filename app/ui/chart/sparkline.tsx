import { areaPath, heightOf, linePath, lonePoints, plotWidth, positionOf } from "./geometry.ts";
import { formatMeasure, type MeasureKind } from "./measure.ts";

export type Spark = { kind: MeasureKind; values: readonly (number | null)[] };

const height = 28;

/** The course of a figure, without axes. Its name says between which values it goes; nothing is drawn where there are none. */
export function Sparkline({ kind, values }: Spark) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  const top = high || 1;
  return (
    <svg
      role="img"
      aria-label={`By day between ${formatMeasure(kind, low)} and ${formatMeasure(kind, high)}`}
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
      {lonePoints(values).map(({ index, value }) => (
        <circle
          key={index}
          className="chart-dot chart-line-main"
          cx={`${positionOf(index, values.length) * 100}%`}
          cy={Math.min(Math.max(heightOf(value, top, height), 3), height - 3)}
          r="3"
        />
      ))}
    </svg>
  );
}
