import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { channelLabels, channels } from "../campaigns/campaign.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import {
  type AnalyticsFilters,
  type Dimension,
  type Grouping,
  isInterval,
  type PerformanceSort,
  type SortOrder,
} from "./analytics.ts";
import { earnedUnitsPerCent, microsPerCent, summedRow } from "./delivery-metrics.ts";
import { deliverySource } from "./delivery-source.server.ts";
import type { Period } from "./period.ts";

export const performanceRow = summedRow.extend({
  key: z.string().nullable(),
  name: z.string().nullable(),
  note: z.string().nullable(),
  rows: z.string(),
});
export const topRow = performanceRow.omit({ spend_cents: true, revenue_cents: true, earned_cents: true });
export type PerformanceRow = z.output<typeof performanceRow>;

export type PerformanceQuery = {
  period: Period;
  filters: AnalyticsFilters;
  group: Grouping;
  sort: PerformanceSort;
  order: SortOrder;
  /** The days by which weeks and months are shifted, so that another period falls into the intervals of this one. */
  shiftDays?: number;
};

/**
 * Selects delivery by the grouping, sorted. The cents of all rows add up to the exact total, rounded down once: the
 * remaining cents go to the rows with the largest remainder, ties by key. Days without delivery are rows of 0. A week
 * or a month has the sum of its days, to the cent; its key is its first day.
 */
export function performanceQuery(
  ctx: ReadCtx<TenantActor>,
  { sort, order, shiftDays = 0, ...asked }: PerformanceQuery,
): SQL {
  const { group, period, filters } = asked;
  const source = deliverySource(ctx, { period, filters, group: isInterval(group) ? "day" : group });
  const emptyDays = sql`select day::date, 0, 0, 0, 0, 0, 0 from generate_series(${period.from}::timestamp, ${period.to}::timestamp, interval '1 day') day`;
  const sums = sql.raw(summedColumns.map((column) => `sum(${column}) as ${column}`).join(", "));
  const centSums = sql.raw(centColumns.map((column) => `sum(${column}) as ${column}`).join(", "));
  const longer = group === "week" || group === "month";
  return sql`
    with summed as (
      select key, ${sums} from (${source} ${isInterval(group) ? sql`union all ${emptyDays}` : sql``}) part group by key
    ), by_key as (
      select *, ${cents("spend_micros", microsPerCent)} as spend_cents, ${cents("revenue_micros", microsPerCent)} as revenue_cents,
        ${cents("earned_units", earnedUnitsPerCent)} as earned_cents
      from summed
    ), rounded as (${
      longer
        ? sql`select date_trunc(${group}, key + ${shiftDays} * interval '1 day')::date as key, ${sums}, ${centSums} from by_key group by 1`
        : sql`select * from by_key`
    }), named as (select rounded.*, ${names[group](ctx)} from rounded ${joins[group](ctx)})
    select named.key::text as key, name, note, impressions::text, clicks::text, conversions::text, spend_micros::text, revenue_micros::text,
      earned_units::text, spend_cents::text, revenue_cents::text, earned_cents::text, count(*) over ()::text as rows
    from named order by ${sortExpressions[sort]} ${order === "ascending" ? sql`asc` : sql`desc`} nulls last, named.key`;
}

/**
 * Selects the highest values of a dimension by a column, `limit` of them, and the number of all (`rows`). Cents are
 * left out, which would be shared among all values, and only what is selected gets its name.
 */
export function topQuery(
  ctx: ReadCtx<TenantActor>,
  {
    dimension,
    sort,
    limit,
    ...asked
  }: {
    period: Period;
    filters: AnalyticsFilters;
    dimension: Dimension;
    sort: Exclude<PerformanceSort, "name">;
    limit: number;
  },
): SQL {
  const { period, filters } = asked;
  const sums = sql.raw(summedColumns.map((column) => `sum(${column}) as ${column}`).join(", "));
  const sorted = sql`${sortExpressions[sort]} desc nulls last, named.key`;
  return sql`
    with rounded as (
      select *, count(*) over () as rows
      from (select key, ${sums} from (${deliverySource(ctx, { period, filters, group: dimension })}) part group by key) named
      order by ${sorted} limit ${limit}
    ), named as (select rounded.*, ${names[dimension](ctx)} from rounded ${joins[dimension](ctx)})
    select named.key::text as key, name, note, impressions::text, clicks::text, conversions::text, spend_micros::text, revenue_micros::text,
      earned_units::text, rows::text
    from named order by ${sorted}`;
}

const summedColumns = ["impressions", "clicks", "conversions", "spend_micros", "revenue_micros", "earned_units"];
const centColumns = ["spend_cents", "revenue_cents", "earned_cents"];

/** Rounds `column` to whole cents of `unit` each. */
function cents(column: string, unit: number): SQL {
  const amount = sql.raw(column);
  const one = sql.raw(String(unit));
  return sql`div(${amount}, ${one}) + case when row_number() over (order by ${amount} % ${one} desc, key)
    <= div(sum(${amount}) over (), ${one}) - sum(div(${amount}, ${one})) over () then 1 else 0 end`;
}

type Part = (ctx: ReadCtx<TenantActor>) => SQL;

const unnamed: Part = () => sql`null as name, null as note`;
const unjoined: Part = () => sql``;
const account: Part = () => sql`join accounts account on account.id = rounded.key`;
const accountName: Part = () => sql`account.company_name as name, null as note`;

/** Channels are sorted by what they are called, not by their keys. */
const channelNames = sql.join(
  channels.map((channel) => sql`when ${channel} then ${channelLabels[channel]}`),
  sql` `,
);

/** The name of a row, and the name of the other side if there is one. */
const names: Record<Grouping, Part> = {
  day: unnamed,
  week: unnamed,
  month: unnamed,
  publisher: accountName,
  advertiser: accountName,
  channel: () => sql`case rounded.key::text ${channelNames} end as name, null as note`,
  category: () => sql`rounded.key as name, null as note`,
  campaign: ({ actor }) =>
    actor.kind === "publisher"
      ? sql`item.campaign_name as name, item.advertiser_name as note`
      : sql`campaign.name as name, null as note`,
  audience: ({ actor }) =>
    sql`audience.name as name, ${actor.kind === "publisher" ? sql`null` : sql`owner.company_name`} as note`,
};

/** Campaigns are read by their keys: without statistics a join reads those of all accounts. */
const joins: Record<Grouping, Part> = {
  day: unjoined,
  week: unjoined,
  month: unjoined,
  channel: unjoined,
  category: unjoined,
  publisher: account,
  advertiser: account,
  campaign: ({ actor }) =>
    actor.kind === "publisher"
      ? sql`cross join lateral (
          select campaign_name, advertiser_name from line_items where campaign_id = rounded.key and publisher_id = ${actor.accountId} offset 0) item`
      : sql`cross join lateral (select name from campaigns where id = rounded.key offset 0) campaign`,
  audience: () =>
    sql`join audiences audience on audience.id = rounded.key join accounts owner on owner.id = audience.publisher_id`,
};

const sortExpressions: Record<PerformanceSort, SQL> = {
  name: sql`coalesce(named.name, named.key::text)`,
  impressions: sql`named.impressions`,
  clicks: sql`named.clicks`,
  ctr: sql`case when named.impressions = 0 then 0 else named.clicks / named.impressions end`,
  conversions: sql`named.conversions`,
  spend: sql`named.spend_micros`,
  revenue: sql`named.revenue_micros`,
  roas: sql`named.revenue_micros / nullif(named.spend_micros, 0)`,
  earnings: sql`named.earned_units`,
};
