import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { keyMetrics } from "#app/domain/analytics/performance-columns.ts";
import { addDays, type CalendarDate, formatDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { niceAxes } from "#app/ui/chart/axis.ts";
import { Breakdown } from "#app/ui/chart/breakdown.tsx";
import { dayTicks } from "#app/ui/chart/day-ticks.ts";
import { formatAxisTick, formatMetric, type MetricFormat, roundAverage } from "#app/ui/chart/metric-format.ts";
import { Sparkline } from "#app/ui/chart/sparkline.tsx";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import { computeTrend, formatTrend } from "#app/ui/trend.ts";

const firstDay = parseCalendarDate("2026-10-22") ?? ("" as CalendarDate);
const daysOf = (count: number) => Array.from({ length: count }, (_, index) => addDays(firstDay, index));

describe("axes", () => {
  const max = fc.oneof(fc.integer({ min: 1, max: 10_000_000_000_000 }), fc.integer({ min: 1, max: 40 }));

  test("steps are round and whole, reach the largest value and leave little room above it", () => {
    fc.assert(
      fc.property(max, (maxValue) => {
        const [axis] = niceAxes([{ max: maxValue, whole: true }]);
        expect(axis?.top).toBeGreaterThanOrEqual(maxValue);
        expect((axis?.top ?? 0) - maxValue).toBeLessThan(Math.max(maxValue * 0.6, 1));
        expect(String(axis?.step).replace(/0+$/, "")).toMatch(/^(1|2|25|5)$/);
        expect(axis?.ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test("a rate has fractional steps, of any size", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (maxValue) => {
        const [axis] = niceAxes([{ max: maxValue, whole: false }]);
        expect(axis?.top).toBeGreaterThanOrEqual(maxValue * (1 - 1e-9));
        expect(axis?.top).toBeLessThan(maxValue * 1.7);
        expect(axis?.ticks.every((tick, index) => index === 0 || tick > (axis.ticks[index - 1] ?? tick))).toBe(true);
      }),
    );
  });

  test("two axes have the same number of steps", () => {
    fc.assert(
      fc.property(max, max, (one, other) => {
        const [left, right] = niceAxes([
          { max: one, whole: true },
          { max: other, whole: false },
        ]);
        expect(left?.ticks.length).toBe(right?.ticks.length);
      }),
    );
  });

  test("nothing above 0 has a base line only", () => {
    expect(niceAxes([{ max: 0, whole: true }])).toEqual([{ top: 1, step: 1, ticks: [0] }]);
  });

  test.each<[MetricFormat, number, string[]]>([
    ["money", 241_000, ["$0", "$500", "$1,000", "$1,500", "$2,000", "$2,500"]],
    ["money", 7, ["$0.00", "$0.02", "$0.04", "$0.06", "$0.08"]],
    ["money", 490_000_000, ["$0", "$1M", "$2M", "$3M", "$4M", "$5M"]],
    ["count", 1, ["0", "1"]],
    ["count", 3_920_000, ["0", "1M", "2M", "3M", "4M"]],
    ["count", 950, ["0", "250", "500", "750", "1,000"]],
    ["percent", 0.0037, ["0.000%", "0.001%", "0.002%", "0.003%", "0.004%"]],
    ["times", 9.4, ["0.0×", "2.5×", "5.0×", "7.5×", "10.0×"]],
  ])("%s up to %d is labeled %j", (kind, maxValue, label) => {
    const [axis] = niceAxes([{ max: maxValue, whole: kind === "money" || kind === "count" }]);
    expect(axis?.ticks.map((tick) => formatAxisTick(kind, tick, axis.step))).toEqual(label);
  });
});

describe("date labels", () => {
  test.each([
    [1, ["Oct 22"]],
    [7, ["Oct 22", "Oct 23", "Oct 24", "Oct 25", "Oct 26", "Oct 27", "Oct 28"]],
    [30, ["Oct 22", "Oct 29", "Nov 5", "Nov 12", "Nov 19"]],
    [365, ["Nov", "Jan 2027", "Mar", "May", "Jul", "Sep"]],
  ])("%d days", (count, label) => {
    expect(dayTicks(daysOf(count)).map(({ label }) => label)).toEqual(label);
  });

  test("are at most eight, and fewer where the chart is narrow", () => {
    for (let count = 0; count <= 800; count++) {
      const ticks = dayTicks(daysOf(count));
      expect(ticks.length).toBeLessThanOrEqual(8);
      expect(ticks.filter(({ optional }) => !optional).length).toBeLessThanOrEqual(4);
    }
  });
});

describe("a time series", () => {
  test("has a table with its data, and the days of the previous period", () => {
    const days = daysOf(3);
    const before = days.map((day) => addDays(day, -3));
    const html = render(days, [
      { label: "Spend", kind: "money", values: [120_050, 0, 99] },
      { label: "Spend before", kind: "money", values: [1, null, 3], variant: "previous", days: before },
    ]);
    expect(cellsOf(html)).toEqual([
      ["Day", "Spend", "Previous period", "Spend before"],
      ["Oct 22, 2026", "$1,200.50", "Oct 19, 2026", "$0.01"],
      ["Oct 23, 2026", "$0.00", "Oct 20, 2026", "–"],
      ["Oct 24, 2026", "$0.99", "Oct 21, 2026", "$0.03"],
    ]);
    expect(html).toContain(
      'role="img" aria-label="Spend by day, Oct 22 – Oct 24, 2026: Spend between $0.00 and $1,200.50"',
    );
  });

  test.each([0, 1, 2, 30, 365])("of %d days of any values is drawn within its plot, without a style", (count) => {
    const days = daysOf(count);
    const value = fc.option(fc.integer({ min: 0, max: 1_000_000_000_000_000 }));
    const values = fc.array(value, { minLength: count, maxLength: count });
    const check = fc.property(values, values, (one, other) => {
      const html = render(days, [
        { label: "Impressions", kind: "count", values: one },
        { label: "Clicks", kind: "count", values: other, variant: "second" },
      ]);
      expect(html).not.toMatch(/NaN|Infinity|undefined|style=/);
      const heights = [...html.matchAll(/[ML]([\d.]+) (-?[\d.]+)/g)].map((match) => Number(match[2]));
      expect(heights.every((height) => height >= 0 && height <= 200)).toBe(true);
      if (one.every((each) => each === null) && other.every((each) => each === null)) {
        expect(html).toContain("Nothing delivered yet");
      } else {
        expect(cellsOf(html).slice(1)).toEqual(
          days.map((day, index) => [
            formatDate(day),
            formatMetric("count", one[index] ?? null),
            formatMetric("count", other[index] ?? null),
          ]),
        );
      }
    });
    fc.assert(check, { numRuns: 10 });
  });

  test.each<[string, MetricFormat, number, MetricFormat, number, boolean]>([
    ["clicks beside a hundred times as many impressions", "count", 90_000, "count", 900, true],
    ["impressions beside a hundredth of them as clicks", "count", 900, "count", 90_000, true],
    ["revenue beside a quarter of it as spend", "money", 40_000, "money", 10_000, false],
    ["clicks of which there are none", "count", 90_000, "count", 0, false],
    ["another unit", "money", 500, "count", 480, true],
  ])("draws %s where both can be read", (_, kind, max, secondKind, secondMax, hasOwnAxis) => {
    const html = render(daysOf(3), [
      { label: "First", kind, values: [max / 2, max, max / 4] },
      { label: "Second", kind: secondKind, values: [secondMax / 2, secondMax, secondMax / 4], variant: "second" },
      { label: "First, previous period", kind, values: [max, 0, 0], variant: "previous" },
    ]);
    expect(html.includes("chart-plot-two-axes")).toBe(hasOwnAxis);
    expect(html.includes("Second (right axis)")).toBe(hasOwnAxis);
    expect(html).not.toContain("First (right axis)");
    const [, highest] = /chart-line-second"><path d="M[\d.]+ [\d.]+L[\d.]+ ([\d.]+)/.exec(html) ?? [];
    if (secondMax > 0) expect(Number(highest)).toBeLessThan(200 * 0.9);
  });

  test("of one day is a dot", () => {
    expect(render(daysOf(1), [{ label: "Spend", kind: "money", values: [5] }])).toContain('<circle class="chart-dot');
  });

  test("of zeros has its line at the bottom", () => {
    const html = render(daysOf(2), [{ label: "Spend", kind: "money", values: [0, 0] }]);
    expect(html).toContain("M0 200L1000 200");
  });

  function render(days: CalendarDate[], lines: Parameters<typeof TimeSeries>[0]["lines"]) {
    return renderToStaticMarkup(
      createElement(TimeSeries, { title: "Spend by day", days, lines, empty: "Nothing delivered yet" }),
    );
  }
});

describe("a breakdown", () => {
  test("has shares of the sum, and a table with the total", () => {
    const html = renderToStaticMarkup(
      createElement(Breakdown, {
        title: "Spend by channel",
        dimension: "Channel",
        measure: { label: "Spend", kind: "money" },
        parts: [
          { id: "dv360", label: "DV360", value: 7_500 },
          { id: "meta", label: "Meta", value: 2_500 },
          { id: "none", label: "<None>", value: 0 },
        ],
      }),
    );
    expect(cellsOf(html)).toEqual([
      ["Channel", "Spend", "Share"],
      ["DV360", "$75.00", "75.00%"],
      ["Meta", "$25.00", "25.00%"],
      ["&lt;None&gt;", "$0.00", "0.00%"],
      ["Total", "$100.00", "100.00%"],
    ]);
    expect([...html.matchAll(/bars-bar" width="([\d.]+)%/g)].map((match) => match[1])).toEqual(["75", "25"]);
  });

  test("of rates has neither shares nor a total", () => {
    const parts = [{ id: "a", label: "DV360", value: 1.2 }];
    const measure = { label: "CTR", kind: "percent" } as const;
    const html = renderToStaticMarkup(createElement(Breakdown, { title: "CTR", dimension: "Channel", measure, parts }));
    expect(cellsOf(html)).toEqual([
      ["Channel", "CTR"],
      ["DV360", "1.20%"],
    ]);
  });
});

describe("a tile", () => {
  test("states how its figure changed, in text too", () => {
    const spark = createElement(Sparkline, { kind: "count", values: [1, null, 3] });
    const html = tile({ trend: computeTrend(112.4, 100), spark });
    expect(html).toContain('<span class="sr-only">Up </span><strong>12.4%</strong> vs previous');
    expect(html).toContain('aria-label="By day between 1 and 3"');
    const byWeek = createElement(Sparkline, { kind: "count", values: [1, 3], interval: "week" });
    expect(tile({ trend: null, spark: byWeek })).toContain('aria-label="By week between 1 and 3"');
  });

  test.each([
    [5, 0],
    [5, null],
    [null, 5],
  ])("from %s after %s has no trend", (now, before) => {
    expect(computeTrend(now, before)).toBeNull();
    expect(tile({ trend: computeTrend(now, before) })).not.toContain("tile-trend");
  });

  test("colors an increase by its meaning: better, worse for a cost, neutral for spend", () => {
    const rise = computeTrend(138.6, 100);
    const classOf = (html: string) => /tile-trend-(\w+)/.exec(html)?.[1];
    expect(classOf(tile({ trend: rise }))).toBe("better");
    expect(classOf(tile({ trend: rise, rise: "worse" }))).toBe("worse");
    expect(classOf(tile({ trend: rise, rise: "neutral" }))).toBe("neutral");
    expect(classOf(tile({ trend: computeTrend(80, 100) }))).toBe("worse");
    expect(classOf(tile({ trend: computeTrend(80, 100), rise: "worse" }))).toBe("better");
    const risesOf = (label: string) => keyMetrics.advertiser.find((metric) => metric.label === label)?.rise;
    expect([risesOf("CPM"), risesOf("Spend"), risesOf("ROAS")]).toEqual(["worse", "neutral", undefined]);
  });

  test("a change that rounds to nothing is not shown, and an extreme one is capped", () => {
    expect(computeTrend(1_000_000, 1_000_001)).toEqual({ direction: "same", percent: 0 });
    expect(computeTrend(0, 8)).toEqual({ direction: "down", percent: 100 });
    expect(formatTrend({ direction: "up", percent: 1_240.4 })).toBe("1,240%");
    expect(formatTrend({ direction: "up", percent: 1e12 })).toBe("more than 9,999%");
  });

  function tile(more: object) {
    return renderToStaticMarkup(createElement(StatTiles, { stats: [{ label: "Spend", value: "$5", ...more }] }));
  }
});

test("averages of few conversions keep two digits, and others are shown as before", () => {
  const shown = (kind: MetricFormat, value: number) => formatMetric(kind, roundAverage(kind, value));
  expect([0, 2 / 30, 2 / 5, 1.5, 9.96, 12.5, 1_234.5].map((value) => shown("count", value))).toEqual([
    ...["0", "0.067", "0.4", "1.5", "10", "13", "1,235"],
  ]);
  expect(shown("money", 1_234)).toBe("$12.34");
  expect(shown("times", 0.123)).toBe("0.1×");
});

/** The texts of a chart's table, row by row. */
function cellsOf(html: string): string[][] {
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map((row) => row[1] ?? "");
  return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map((cell) => cell[1] ?? ""));
}
