import { parseMicros } from "../money.ts";

/** What is counted, and the money in micros. */
export type DeliveryFigures = {
  impressions: number;
  clicks: number;
  conversions: number;
  spendMicros: number;
  revenueMicros: number;
};

/** Their names on the wire, where money is dollars. */
export const figureFields = ["impressions", "clicks", "conversions", "spend", "revenue"] as const;

/** More than any day on one channel brings; so that no sum leaves the integers. */
const most = { count: 10_000_000_000, micros: 10_000_000_000_000 } as const;

/** Reads the figures of a row, or of one of its creatives; `of` gives what a field says. Gives the reason for what cannot be. Pure. */
export function readFigures(of: (field: (typeof figureFields)[number]) => unknown) {
  const impressions = readCount(of("impressions"));
  const clicks = readCount(of("clicks"));
  const conversions = readCount(of("conversions"));
  const spendMicros = parseMicros(of("spend"));
  const revenueMicros = parseMicros(of("revenue"));
  if (impressions === undefined || clicks === undefined || conversions === undefined) return "invalid_number";
  if (spendMicros === undefined || revenueMicros === undefined) return "invalid_number";
  if (Math.min(impressions, clicks, conversions, spendMicros, revenueMicros) < 0) return "negative";
  if (Math.max(impressions, clicks, conversions) > most.count) return "too_large";
  if (Math.max(spendMicros, revenueMicros) > most.micros) return "too_large";
  if (clicks > impressions) return "clicks_over_impressions";
  return { impressions, clicks, conversions, spendMicros, revenueMicros };
}

/** A whole number, or a text of one. */
export function readCount(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : undefined;
}
