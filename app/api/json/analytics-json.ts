import { z } from "zod";
import { roundRatio, wire } from "#app/api/wire.ts";
import type { BreakdownGroup } from "#app/domain/analytics/breakdown-matrix.ts";
import { type Budgets, type CampaignMark, markKinds } from "#app/domain/analytics/campaign-marks.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import type { PeriodInterval } from "#app/domain/analytics/interval.ts";
import type { AverageMetrics } from "#app/domain/analytics/list-intervals.server.ts";
import type { Performance } from "#app/domain/analytics/list-performance.server.ts";
import type { TenantActor } from "#app/domain/context.ts";
import { centsToDollars } from "#app/domain/money.ts";

const figures = {
  impressions: wire.count,
  clicks: wire.count,
  conversions: wire.count,
  ctr: wire.percent,
  conversion_rate: wire.percent.describe("Conversions as a percentage of clicks"),
  spend: wire.dollars,
  revenue: wire.dollars.optional().describe("Attributed revenue. Advertisers only."),
  roas: z.number().nullable().optional().describe("Revenue per dollar spent; null without spend. Advertisers only."),
  earnings: wire.dollars.optional().describe("The publisher's share of the spend. Publishers only."),
};

export const metricsSchema = z.object(figures);
const average = z.number();
export const averageSchema = z.object({
  ...figures,
  impressions: average,
  clicks: average,
  conversions: average,
  rows: wire.count.describe("The number of rows that are not partial"),
});
export const performanceSchema = z.object({
  key: z
    .string()
    .nullable()
    .describe("The ID, channel, category, or first day; null for campaigns without products and for others"),
  name: z.string(),
  publisher_name: z.string().optional(),
  advertiser_name: z.string().optional(),
  split_key: z.string().nullable().optional().describe("The same of the second dimension"),
  split_name: z.string().optional(),
  others: z.boolean().optional().describe("Whether the row sums the values that are not listed, of either dimension"),
  from: wire.date.optional().describe("The first day of a day, week or month in the period"),
  to: wire.date.optional().describe("The last day of it in the period"),
  partial: z.boolean().optional().describe("Whether days of it are outside the period, or it contains today"),
  ...figures,
});

const budgets = z.object({ budget: wire.dollars, daily_budget: wire.dollars });
export const markSchema = z.object({
  date: wire.date.describe("The day (UTC)"),
  kind: z
    .enum(markKinds)
    .describe(
      "A budget changes when a version with another one is approved: by the first publisher, or for a publisher by itself",
    ),
  campaign_id: wire.id,
  campaign_name: z.string(),
  publisher_name: z
    .string()
    .nullable()
    .describe("The publisher that paused or resumed the campaign on its own audiences; null if the advertiser acted"),
  before: budgets.nullable().describe("The budgets before the change; null for other kinds"),
  after: budgets.nullable().describe("The budgets from then on; null for other kinds"),
});

type Side = TenantActor["kind"];

export function metricsJson(side: Side, row: DeliveryMetrics) {
  const { impressions, clicks, conversions } = row;
  const shared = {
    impressions,
    clicks,
    conversions,
    ctr: roundRatio(row.ctr),
    conversion_rate: roundRatio(row.conversionRate),
    spend: centsToDollars(row.spendCents),
  };
  if (side === "publisher") return { ...shared, earnings: centsToDollars(row.earnedCents) };
  return {
    ...shared,
    revenue: centsToDollars(row.revenueCents),
    roas: row.roas === null ? null : roundRatio(row.roas),
  };
}

/** The average row, to four decimals. */
export function averageJson(side: Side, { count, ...average }: AverageMetrics) {
  const { impressions, clicks, conversions } = average;
  return {
    ...metricsJson(side, average),
    impressions: roundRatio(impressions),
    clicks: roundRatio(clicks),
    conversions: roundRatio(conversions),
    rows: count,
  };
}

/** One row for each pair of a breakdown. */
export function breakdownJson(side: Side, { parts, ...group }: BreakdownGroup) {
  return parts.map((part) => ({
    ...performanceJson(side, group),
    split_key: part.key,
    split_name: part.name,
    others: group.isOthers || part.isOthers,
    ...metricsJson(side, part),
  }));
}

export function markJson({ day, kind, campaignId, campaignName, publisherName, budgets }: CampaignMark) {
  return {
    date: day,
    kind,
    campaign_id: campaignId,
    campaign_name: campaignName,
    publisher_name: publisherName,
    before: budgets && budgetsJson(budgets.before),
    after: budgets && budgetsJson(budgets.after),
  };
}

function budgetsJson({ totalCents, dailyCents }: Budgets) {
  return { budget: centsToDollars(totalCents), daily_budget: centsToDollars(dailyCents) };
}

export function intervalJson({ from, to, isPartial }: PeriodInterval) {
  return { from, to, partial: isPartial };
}

export function performanceJson(side: Side, row: Performance) {
  const other = side === "publisher" ? "advertiser_name" : "publisher_name";
  return {
    key: row.key,
    name: row.name,
    ...(row.counterparty && { [other]: row.counterparty }),
    ...metricsJson(side, row),
  };
}
