import { type PointerEvent, useState } from "react";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { Axis } from "./axis.ts";
import type { ChartLine } from "./chart-line.ts";
import { dayTicks } from "./day-ticks.ts";
import { areaPath, closedPart, heightOf, linePath, lonePoints, openStep, plotWidth, positionOf } from "./geometry.ts";
import { formatTick } from "./measure.ts";
import { PlotTip } from "./plot-tip.tsx";

const height = 200;

/**
 * The drawing: places across are percents, those down are pixels, so that lines stretch with the page and letters never do.
 */
export function Plot({
  label,
  days,
  lines,
  left,
  right,
  open,
}: {
  label: string;
  days: readonly CalendarDate[];
  lines: readonly ChartLine[];
  left: Axis;
  right?: Axis;
  /** The last day is still going on. */
  open: boolean;
}) {
  const [pointed, setPointed] = useState<number>();
  const axisOf = (line: ChartLine) => (line.axis === "right" && right ? right : left);
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left: start, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - start) / width, 0), 1);
    setPointed(Math.round(share * (days.length - 1)));
  };
  const shown = pointed === undefined ? undefined : Math.min(pointed, days.length - 1);
  return (
    <div
      className={right ? "chart-plot chart-plot-right" : "chart-plot"}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setPointed(undefined)}
    >
      <svg role="img" aria-label={label} width="100%" height={height + 28}>
        <Scale axis={left} of={lines.find(({ axis = "left" }) => axis === "left")} side="left" grid />
        {right ? (
          <Scale
            axis={right}
            of={lines.find(({ axis }) => axis === "right")}
            side="right"
            grid={left.ticks.length < 2}
          />
        ) : null}
        {dayTicks(days).map(({ index, label: words, spare }) => (
          <text
            key={index}
            className={spare ? "chart-spare" : undefined}
            x={percent(positionOf(index, days.length))}
            y={height + 22}
            textAnchor={anchorAt(positionOf(index, days.length))}
          >
            {words}
          </text>
        ))}
        <svg aria-hidden width="100%" height={height} viewBox={`0 0 ${plotWidth} ${height}`} preserveAspectRatio="none">
          {lines.map((line) => (
            <Line key={line.label} line={line} top={axisOf(line).top} open={open && !line.days} />
          ))}
        </svg>
        {shown === undefined ? null : (
          <line className="chart-pointed" x1={across(shown)} x2={across(shown)} y1="0" y2={height} />
        )}
        {lines.flatMap((line) =>
          dotsOf(line, shown).map(({ index, value }) => (
            <circle
              key={`${line.label} ${index}`}
              className={`chart-dot chart-line-${line.look ?? "main"}`}
              cx={across(index)}
              cy={heightOf(value, axisOf(line).top, height)}
              r="3.5"
            />
          )),
        )}
      </svg>
      {shown === undefined ? null : <PlotTip index={shown} days={days} lines={lines} />}
    </div>
  );

  function across(index: number): string {
    return percent(positionOf(index, days.length));
  }
}

function Line({ line: { values, look = "main" }, top, open }: { line: ChartLine; top: number; open: boolean }) {
  const closed = open ? closedPart(values) : values;
  return (
    <g className={`chart-line chart-line-${look}`}>
      {look === "main" ? <path className="chart-area" d={areaPath(closed, top, height)} /> : null}
      <path d={linePath(closed, top, height)} />
      {open ? <path className="chart-open" d={linePath(openStep(values), top, height)} /> : null}
    </g>
  );
}

/** The round numbers of an axis and, on one of the two, the lines behind the plot. */
function Scale({ axis, of, side, grid }: { axis: Axis; of?: ChartLine; side: "left" | "right"; grid: boolean }) {
  return axis.ticks.map((tick) => {
    const y = heightOf(tick, axis.top, height);
    return (
      <g key={tick}>
        {grid ? <line className={tick === 0 ? "chart-base" : "chart-grid"} x1="0" x2="100%" y1={y} y2={y} /> : null}
        <text
          x={side === "left" ? 0 : "100%"}
          dx={side === "left" ? -8 : 8}
          y={y + 4}
          textAnchor={side === "left" ? "end" : "start"}
        >
          {formatTick(of?.kind ?? "count", tick, axis.step)}
        </text>
      </g>
    );
  });
}

function dotsOf(line: ChartLine, pointed: number | undefined) {
  const lone = lonePoints(line.values);
  const value = pointed === undefined ? null : (line.values[pointed] ?? null);
  if (pointed === undefined || value === null || lone.some(({ index }) => index === pointed)) return lone;
  return [...lone, { index: pointed, value }];
}

/** Dates at the edges stay inside. */
function anchorAt(position: number): "start" | "middle" | "end" {
  return position < 0.04 ? "start" : position > 0.96 ? "end" : "middle";
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
