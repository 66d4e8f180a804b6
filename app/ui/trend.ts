/** The relative change of a metric, in percent of the previous value. */
export type Trend = { direction: "up" | "down" | "same"; percent: number };

/** Returns the trend; null if there is no previous value to compare with. */
export function computeTrend(now: number | null, before: number | null): Trend | null {
  if (now === null || before === null || before <= 0) return null;
  const percent = Math.abs((now - before) / before) * 100;
  // A change that would be shown as 0.0% counts as none.
  if (percent < 0.05) return { direction: "same", percent: 0 };
  return { direction: now > before ? "up" : "down", percent };
}

/** What a change means for the reader, which gives it its color. */
export type TrendMeaning = "better" | "worse" | "neutral";

/** Returns the meaning of a change of a metric, of which a rise means `rise`. */
export function trendMeaning({ direction }: Trend, rise: TrendMeaning = "better"): TrendMeaning {
  if (direction === "same" || rise === "neutral") return "neutral";
  return (direction === "up") === (rise === "better") ? "better" : "worse";
}

/** Formats `12.4%`, `1,240%`, and above 9,999% `over 9,999%`. */
export function formatTrend({ percent }: Trend): string {
  if (percent > 9_999) return "more than 9,999%";
  return percent < 1_000 ? `${percent.toFixed(1)}%` : `${Math.round(percent).toLocaleString("en-US")}%`;
}
