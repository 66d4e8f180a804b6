import { type PointerEvent, useState } from "react";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { Axis } from "./axis.ts";
import { ChartTooltip } from "./chart-tooltip.tsx";
import { dayTicks } from "./day-ticks.ts";
import {
  areaPath,
  completePoints,
  isolatedPoints,
  linePath,
  type PartialEnds,
  partialPoints,
  plotWidth,
  xFraction,
  yPixels,
} from "./geometry.ts";
import { formatAxisTick } from "./metric-format.ts";
import type { ChartMark, ChartSeries, PlacedSeries } from "./series.ts";

const height = 200;

/**
 * The drawing. Horizontal positions are percentages and vertical ones are pixels, so that lines stretch with the page
 * and text does not.
 */
export function Plot({
  label,
  days,
  labels,
  lines,
  left,
  right,
  partialEnds,
  marks,
}: {
  label: string;
  days: readonly CalendarDate[];
  /** The name of each point. */
  labels: readonly string[];
  lines: readonly PlacedSeries[];
  left: Axis;
  right?: Axis;
  partialEnds: PartialEnds;
  marks: readonly ChartMark[];
}) {
  const [pointed, setPointed] = useState<number>();
  const axisOf = (line: PlacedSeries) => (line.axis === "right" && right ? right : left);
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left: start, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - start) / width, 0), 1);
    setPointed(Math.round(share * (days.length - 1)));
  };
  const shown = pointed === undefined ? undefined : Math.min(pointed, days.length - 1);
  return (
    <div
      className={right ? "chart-plot chart-plot-two-axes" : "chart-plot"}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setPointed(undefined)}
    >
      <svg role="img" aria-label={label} width="100%" height={height + 28}>
        <Scale axis={left} series={lines.find(({ axis }) => axis === "left")} side="left" grid />
        {right ? (
          <Scale
            axis={right}
            series={lines.find(({ axis }) => axis === "right")}
            side="right"
            grid={left.ticks.length < 2}
          />
        ) : null}
        {dayTicks(days).map(({ index, label: words, optional }) => (
          <text
            key={index}
            className={optional ? "chart-tick-optional" : undefined}
            x={percent(xFraction(index, days.length))}
            y={height + 22}
            textAnchor={anchorAt(xFraction(index, days.length))}
          >
            {words}
          </text>
        ))}
        <svg aria-hidden width="100%" height={height} viewBox={`0 0 ${plotWidth} ${height}`} preserveAspectRatio="none">
          {lines.map((line) => (
            <Line key={line.label} line={line} top={axisOf(line).top} ends={line.days ? undefined : partialEnds} />
          ))}
        </svg>
        {marks.map(({ index, label: what, isMany }) => (
          <svg key={index} aria-hidden className="chart-mark" x={across(index)} y={height}>
            <title>{what}</title>
            {isMany ? <path d="M3 -6L9 0L3 6L-3 0Z" /> : null}
            <path d="M0 -6L6 0L0 6L-6 0Z" />
          </svg>
        ))}
        {shown === undefined ? null : (
          <line className="chart-cursor" x1={across(shown)} x2={across(shown)} y1="0" y2={height} />
        )}
        {lines.flatMap((line) =>
          dotsOf(line, shown).map(({ index, value }) => (
            <circle
              key={`${line.label} ${index}`}
              className={`chart-dot chart-line-${line.variant ?? "main"}`}
              cx={across(index)}
              cy={yPixels(value, axisOf(line).top, height)}
              r="3.5"
            />
          )),
        )}
      </svg>
      {shown === undefined ? null : (
        <ChartTooltip
          index={shown}
          labels={labels}
          lines={lines}
          mark={marks.find(({ index }) => index === shown)?.label}
        />
      )}
    </div>
  );

  function across(index: number): string {
    return percent(xFraction(index, days.length));
  }
}

function Line({
  line: { values, variant = "main", average = null },
  top,
  ends,
}: {
  line: ChartSeries;
  top: number;
  ends: PartialEnds | undefined;
}) {
  const complete = ends ? completePoints(values, ends) : values;
  const level = variant === "main" && average !== null ? yPixels(average, top, height) : undefined;
  return (
    <>
      <g className={`chart-line chart-line-${variant}`}>
        {variant === "main" ? <path className="chart-area" d={areaPath(complete, top, height)} /> : null}
        <path d={linePath(complete, top, height)} />
        {ends
          ? partialPoints(values, ends).map((part, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: of two points, both ends are one stretch
              <path key={place} className="chart-line-partial" d={linePath(part, top, height)} />
            ))
          : null}
      </g>
      {level === undefined ? null : (
        <g className="chart-line chart-line-average">
          <path d={`M0 ${level}H${plotWidth}`} />
        </g>
      )}
    </>
  );
}

/** The tick labels of an axis and, for one of the two axes, the grid lines. */
function Scale({
  axis,
  series,
  side,
  grid,
}: {
  axis: Axis;
  series?: ChartSeries;
  side: "left" | "right";
  grid: boolean;
}) {
  return axis.ticks.map((tick) => {
    const y = yPixels(tick, axis.top, height);
    return (
      <g key={tick}>
        {grid ? <line className={tick === 0 ? "chart-baseline" : "chart-grid"} x1="0" x2="100%" y1={y} y2={y} /> : null}
        <text
          x={side === "left" ? 0 : "100%"}
          dx={side === "left" ? -8 : 8}
          y={y + 4}
          textAnchor={side === "left" ? "end" : "start"}
        >
          {formatAxisTick(series?.kind ?? "count", tick, axis.step)}
        </text>
      </g>
    );
  });
}

function dotsOf(line: ChartSeries, pointed: number | undefined) {
  const lone = isolatedPoints(line.values);
  const value = pointed === undefined ? null : (line.values[pointed] ?? null);
  if (pointed === undefined || value === null || lone.some(({ index }) => index === pointed)) return lone;
  return [...lone, { index: pointed, value }];
}

/** Keeps dates at the edges inside the plot. */
function anchorAt(position: number): "start" | "middle" | "end" {
  return position < 0.04 ? "start" : position > 0.96 ? "end" : "middle";
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
