import { parseMicros } from "../money.ts";

/** The delivery figures; money in micros. */
export type DeliveryFigures = {
  impressions: number;
  clicks: number;
  conversions: number;
  spendMicros: number;
  revenueMicros: number;
};

/** Their field names in the API, where money is in dollars. */
export const figureFields = ["impressions", "clicks", "conversions", "spend", "revenue"] as const;

/** The maximum of a figure: more than any day on one channel brings, so that sums stay safe integers. */
const maxFigure = { count: 10_000_000_000, micros: 10_000_000_000_000 } as const;

/**
 * Parses the figures of a row or creative; `of` returns a field's value. Returns the rejection code for invalid
 * figures. Pure.
 */
export function parseFigures(of: (field: (typeof figureFields)[number]) => unknown) {
  const impressions = parseCount(of("impressions"));
  const clicks = parseCount(of("clicks"));
  const conversions = parseCount(of("conversions"));
  const spendMicros = parseMicros(of("spend"));
  const revenueMicros = parseMicros(of("revenue"));
  if (impressions === undefined || clicks === undefined || conversions === undefined) return "invalid_number";
  if (spendMicros === undefined || revenueMicros === undefined) return "invalid_number";
  if (Math.min(impressions, clicks, conversions, spendMicros, revenueMicros) < 0) return "negative";
  if (Math.max(impressions, clicks, conversions) > maxFigure.count) return "too_large";
  if (Math.max(spendMicros, revenueMicros) > maxFigure.micros) return "too_large";
  if (clicks > impressions) return "clicks_over_impressions";
  return { impressions, clicks, conversions, spendMicros, revenueMicros };
}

/** Parses a whole number or its text; undefined for anything else. */
export function parseCount(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : undefined;
}
