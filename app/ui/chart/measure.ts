import { formatCents, toCents } from "#app/domain/money.ts";
import { formatCount, formatPercent, formatTimes } from "../format.ts";

/** What a figure counts: `money` is in whole cents, `percent` in percent, `times` a ratio such as ROAS. */
export type MeasureKind = "money" | "count" | "percent" | "times";

/** A value in full, as in tables and tiles; a dash where there is none. */
export function formatMeasure(kind: MeasureKind, value: number | null): string {
  if (value === null) return "–";
  if (kind === "money") return formatCents(toCents(value));
  if (kind === "percent") return formatPercent(value);
  return kind === "times" ? formatTimes(value) : formatCount(value);
}

/** Cents and counts have no parts; an axis of them has whole steps. */
export function isWhole(kind: MeasureKind): boolean {
  return kind === "money" || kind === "count";
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });

/** A value as an axis says it: `$2.5K`, `$0.50`, `1.25M`, `0.5%`, `4×`; `step` decides how many decimals all of them have. */
export function formatTick(kind: MeasureKind, value: number, step: number): string {
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

/** How many decimals a round step has: 0.25 has two. */
function decimalsOf(step: number): number {
  const [digits = "", exponent = "0"] = step.toExponential().split("e");
  return Math.min(Math.max((digits.split(".")[1]?.length ?? 0) - Number(exponent), 0), 20);
}
