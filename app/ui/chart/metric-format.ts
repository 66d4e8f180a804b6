import { asCents, formatCents } from "#app/domain/money.ts";
import { formatCount, formatPercent, formatRatio } from "../format.ts";

/** How a metric is formatted: `money` in whole cents, `percent` in percent, `times` a ratio such as ROAS. */
export type MetricFormat = "money" | "count" | "percent" | "times";

/** Formats a value in full, for tables and tiles; a dash if there is none. */
export function formatMetric(kind: MetricFormat, value: number | null): string {
  if (value === null) return "–";
  if (kind === "money") return formatCents(asCents(value));
  if (kind === "percent") return formatPercent(value);
  return kind === "times" ? formatRatio(value) : formatCount(value);
}

/**
 * Rounds an average as it is shown. Counts are whole from ten on and have two digits below, so that two conversions in
 * five days are 0.4 a day and not none.
 */
export function roundAverage(kind: MetricFormat, value: number): number {
  if (kind !== "count") return value;
  return value < 10 ? Number(value.toPrecision(2)) : Math.round(value);
}

/** Whether values can be summed: cents and counts. Their axes have whole steps. */
export function isAdditive(kind: MetricFormat): boolean {
  return kind === "money" || kind === "count";
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });

/** Formats an axis value: `$2.5K`, `$0.50`, `1.25M`, `0.5%`, `4×`; `step` determines the number of decimals. */
export function formatAxisTick(kind: MetricFormat, value: number, step: number): string {
  if (kind === "money") {
    const dollars = value / 100;
    return step >= 100_000 ? `$${compact.format(dollars)}` : `$${withDecimals(dollars, step % 100 === 0 ? 0 : 2)}`;
  }
  if (kind === "count") return step >= 1_000 ? compact.format(value) : formatCount(value);
  return `${withDecimals(value, decimalsOf(step))}${kind === "percent" ? "%" : "×"}`;
}

function withDecimals(value: number, decimals: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Returns the number of decimals of a round step: 0.25 has two. */
function decimalsOf(step: number): number {
  const [digits = "", exponent = "0"] = step.toExponential().split("e");
  return Math.min(Math.max((digits.split(".")[1]?.length ?? 0) - Number(exponent), 0), 20);
}
