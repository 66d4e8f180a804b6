import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { addDays, type CalendarDate, formatDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import { roundAxes } from "#app/ui/chart/axis.ts";
import { Breakdown } from "#app/ui/chart/breakdown.tsx";
import { dayTicks } from "#app/ui/chart/day-ticks.ts";
import { formatMeasure, formatTick, type MeasureKind } from "#app/ui/chart/measure.ts";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { formatTrend, trendOf } from "#app/ui/trend.ts";

const firstDay = parseCalendarDate("2026-10-22") ?? ("" as CalendarDate);
const daysOf = (count: number) => Array.from({ length: count }, (_, index) => addDays(firstDay, index));

describe("axes", () => {
  const max = fc.oneof(fc.integer({ min: 1, max: 10_000_000_000_000 }), fc.integer({ min: 1, max: 40 }));

  test("steps are round and whole, reach the largest value and leave little room above it", () => {
    fc.assert(
      fc.property(max, (largest) => {
        const [axis] = roundAxes([{ max: largest, whole: true }]);
        expect(axis?.top).toBeGreaterThanOrEqual(largest);
        expect((axis?.top ?? 0) - largest).toBeLessThan(Math.max(largest * 0.6, 1));
        expect(String(axis?.step).replace(/0+$/, "")).toMatch(/^(1|2|25|5)$/);
        expect(axis?.ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test("a rate has parts, of any size", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (largest) => {
        const [axis] = roundAxes([{ max: largest, whole: false }]);
        expect(axis?.top).toBeGreaterThanOrEqual(largest * (1 - 1e-9));
        expect(axis?.top).toBeLessThan(largest * 1.7);
        expect(axis?.ticks.every((tick, index) => index === 0 || tick > (axis.ticks[index - 1] ?? tick))).toBe(true);
      }),
    );
  });

  test("two axes have the same number of steps", () => {
    fc.assert(
      fc.property(max, max, (one, other) => {
        const [left, right] = roundAxes([
          { max: one, whole: true },
          { max: other, whole: false },
        ]);
        expect(left?.ticks.length).toBe(right?.ticks.length);
      }),
    );
  });

  test("nothing above 0 has a base line only", () => {
    expect(roundAxes([{ max: 0, whole: true }])).toEqual([{ top: 1, step: 1, ticks: [0] }]);
  });

  test.each<[MeasureKind, number, string[]]>([
    ["money", 241_000, ["$0", "$500", "$1,000", "$1,500", "$2,000", "$2,500"]],
    ["money", 7, ["$0.00", "$0.02", "$0.04", "$0.06", "$0.08"]],
    ["money", 490_000_000, ["$0", "$1M", "$2M", "$3M", "$4M", "$5M"]],
    ["count", 1, ["0", "1"]],
    ["count", 3_920_000, ["0", "1M", "2M", "3M", "4M"]],
    ["count", 950, ["0", "250", "500", "750", "1,000"]],
    ["percent", 0.0037, ["0.000%", "0.001%", "0.002%", "0.003%", "0.004%"]],
    ["times", 9.4, ["0.0×", "2.5×", "5.0×", "7.5×", "10.0×"]],
  ])("%s up to %d is labelled %j", (kind, largest, words) => {
    const [axis] = roundAxes([{ max: largest, whole: kind === "money" || kind === "count" }]);
    expect(axis?.ticks.map((tick) => formatTick(kind, tick, axis.step))).toEqual(words);
  });
});

describe("dates below", () => {
  test.each([
    [1, ["Oct 22"]],
    [7, ["Oct 22", "Oct 23", "Oct 24", "Oct 25", "Oct 26", "Oct 27", "Oct 28"]],
    [30, ["Oct 22", "Oct 29", "Nov 5", "Nov 12", "Nov 19"]],
    [365, ["Nov", "Jan 2027", "Mar", "May", "Jul", "Sep"]],
  ])("%d days", (count, words) => {
    expect(dayTicks(daysOf(count)).map(({ label }) => label)).toEqual(words);
  });

  test("there are never more than eight, and fewer where it is narrow", () => {
    for (let count = 0; count <= 800; count++) {
      const ticks = dayTicks(daysOf(count));
      expect(ticks.length).toBeLessThanOrEqual(8);
      expect(ticks.filter(({ spare }) => !spare).length).toBeLessThanOrEqual(4);
    }
  });
});

describe("a time series", () => {
  test("has a table whose figures are the data, with the days of the period before", () => {
    const days = daysOf(3);
    const before = days.map((day) => addDays(day, -3));
    const html = render(days, [
      { label: "Spend", kind: "money", values: [120_050, 0, 99] },
      { label: "Spend before", kind: "money", values: [1, null, 3], look: "previous", days: before },
    ]);
    expect(cellsOf(html)).toEqual([
      ["Day", "Spend", "Compared with", "Spend before"],
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
        { label: "Clicks", kind: "count", values: other, look: "second", axis: "right" },
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
            formatMeasure("count", one[index] ?? null),
            formatMeasure("count", other[index] ?? null),
          ]),
        );
      }
    });
    fc.assert(check, { numRuns: 10 });
  });

  test("of one day alone is a dot", () => {
    expect(render(daysOf(1), [{ label: "Spend", kind: "money", values: [5] }])).toContain('<circle class="chart-dot');
  });

  test("that is 0 throughout has its line at the bottom", () => {
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
  test("has shares that are those of the sum, and a table with the total", () => {
    const html = renderToStaticMarkup(
      createElement(Breakdown, {
        title: "Spend by channel",
        of: "Channel",
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
    expect([...html.matchAll(/bars-bar" width="([\d.]+)%/g)].map((match) => match[1])).toEqual(["100", "33.33"]);
  });

  test("of rates has neither shares nor a total", () => {
    const parts = [{ id: "a", label: "DV360", value: 1.2 }];
    const measure = { label: "CTR", kind: "percent" } as const;
    const html = renderToStaticMarkup(createElement(Breakdown, { title: "CTR", of: "Channel", measure, parts }));
    expect(cellsOf(html)).toEqual([
      ["Channel", "CTR"],
      ["DV360", "1.20%"],
    ]);
  });
});

describe("a tile", () => {
  test("says how its figure changed, in words too", () => {
    const html = tile({ trend: trendOf(112.4, 100), spark: { kind: "count", values: [1, null, 3] } });
    expect(html).toContain('<span class="sr-only">Up </span><strong>12.4%</strong> vs previous');
    expect(html).toContain('aria-label="By day between 1 and 3"');
  });

  test.each([
    [5, 0],
    [5, null],
    [null, 5],
  ])("from %s after %s has no trend", (now, before) => {
    expect(trendOf(now, before)).toBeNull();
    expect(tile({ trend: trendOf(now, before) })).not.toContain("tile-trend");
  });

  test("a change that rounds to nothing is none, and one beyond measure is cut", () => {
    expect(trendOf(1_000_000, 1_000_001)).toEqual({ direction: "same", percent: 0 });
    expect(trendOf(0, 8)).toEqual({ direction: "down", percent: 100 });
    expect(formatTrend({ direction: "up", percent: 1_240.4 })).toBe("1,240%");
    expect(formatTrend({ direction: "up", percent: 1e12 })).toBe("over 9,999%");
  });

  function tile(more: object) {
    return renderToStaticMarkup(createElement(StatTiles, { stats: [{ label: "Spend", value: "$5", ...more }] }));
  }
});

/** The texts of a chart's table, row by row. */
function cellsOf(html: string): string[][] {
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map((row) => row[1] ?? "");
  return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map((cell) => cell[1] ?? ""));
}
