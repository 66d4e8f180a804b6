import { z } from "zod";
import type { Figures } from "#app/domain/analytics/figures.ts";
import type { Performance } from "#app/domain/analytics/list-performance.server.ts";
import type { TenantActor } from "#app/domain/context.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { rounded, wire } from "./wire.ts";

const figures = {
  impressions: wire.count,
  clicks: wire.count,
  conversions: wire.count,
  ctr: wire.percent,
  conversion_rate: wire.percent.describe("Conversions per hundred clicks"),
  spend: wire.dollars,
  revenue: wire.dollars.optional().describe("Attributed; for advertisers"),
  roas: z.number().nullable().optional().describe("Revenue per dollar spent, null without spend; for advertisers"),
  earnings: wire.dollars.optional().describe("The publisher's share of the spend; for publishers"),
};

export const figuresSchema = z.object(figures);
export const performanceSchema = z.object({
  key: z.string().nullable().describe("The id, channel, category or day; null for campaigns without products"),
  name: z.string(),
  publisher_name: z.string().optional(),
  advertiser_name: z.string().optional(),
  ...figures,
});

type Side = TenantActor["kind"];

export function figuresJson(side: Side, row: Figures) {
  const { impressions, clicks, conversions } = row;
  const shared = {
    impressions,
    clicks,
    conversions,
    ctr: rounded(row.ctr),
    conversion_rate: rounded(row.conversionRate),
    spend: dollarsOf(row.spendCents),
  };
  if (side === "publisher") return { ...shared, earnings: dollarsOf(row.earnedCents) };
  return { ...shared, revenue: dollarsOf(row.revenueCents), roas: row.roas === null ? null : rounded(row.roas) };
}

export function performanceJson(side: Side, row: Performance) {
  const other = side === "publisher" ? "advertiser_name" : "publisher_name";
  return { key: row.key, name: row.name, ...(row.note && { [other]: row.note }), ...figuresJson(side, row) };
}
