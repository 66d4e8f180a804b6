/** How a figure changed: by how many percent of what it was. */
export type Trend = { direction: "up" | "down" | "same"; percent: number };

/** Null where there was nothing before that one could compare with. */
export function trendOf(now: number | null, before: number | null): Trend | null {
  if (now === null || before === null || before <= 0) return null;
  const percent = Math.abs((now - before) / before) * 100;
  // What would be shown as 0.0% is no change.
  if (percent < 0.05) return { direction: "same", percent: 0 };
  return { direction: now > before ? "up" : "down", percent };
}

/** `12.4%`, `1,240%`, and beyond tenfold times ten `over 9,999%`. */
export function formatTrend({ percent }: Trend): string {
  if (percent > 9_999) return "over 9,999%";
  return percent < 1_000 ? `${percent.toFixed(1)}%` : `${Math.round(percent).toLocaleString("en-US")}%`;
}
