import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx, TenantActor } from "../context.ts";
import type { Grouping, PerformanceSort, SortOrder } from "./analytics.ts";
import { type Asked, deliverySource } from "./delivery-source.server.ts";
import { microsInCent, summedRow, unitsInCent } from "./figures.ts";

export const performanceRow = summedRow.extend({
  key: z.string().nullable(),
  name: z.string().nullable(),
  note: z.string().nullable(),
  rows: z.string(),
});
export type PerformanceRow = z.output<typeof performanceRow>;

/**
 * Delivery by the grouping, sorted. A row's cents add up to the cents of all rows, which are the exact sum rounded down once: the
 * cents that are over go to the rows with the largest remainder, ties by key (`money.md`, 4). Days without delivery are rows of 0.
 */
export function performanceQuery(
  ctx: Ctx<TenantActor>,
  { sort, order, ...asked }: Asked & { group: Grouping; sort: PerformanceSort; order: SortOrder },
): SQL {
  const { group, period } = asked;
  const source = deliverySource(ctx, asked);
  const nothing = sql`select day::date, 0, 0, 0, 0, 0, 0 from generate_series(${period.from}::timestamp, ${period.to}::timestamp, interval '1 day') day`;
  return sql`
    with summed as (
      select key, sum(impressions) as impressions, sum(clicks) as clicks, sum(conversions) as conversions,
        sum(spend_micros) as spend_micros, sum(revenue_micros) as revenue_micros, sum(earned_units) as earned_units
      from (${source} ${group === "day" ? sql`union all ${nothing}` : sql``}) part group by key
    ), rounded as (
      select *, ${cents("spend_micros", microsInCent)} as spend_cents, ${cents("revenue_micros", microsInCent)} as revenue_cents,
        ${cents("earned_units", unitsInCent)} as earned_cents
      from summed
    ), named as (select rounded.*, ${names[group](ctx)} from rounded ${joined[group](ctx)})
    select named.key::text as key, name, note, impressions::text, clicks::text, conversions::text, spend_micros::text, revenue_micros::text,
      earned_units::text, spend_cents::text, revenue_cents::text, earned_cents::text, count(*) over ()::text as rows
    from named order by ${sortedBy[sort]} ${order === "ascending" ? sql`asc` : sql`desc`} nulls last, named.key`;
}

/** `column` in whole cents of `unit` each. */
function cents(column: string, unit: number): SQL {
  const amount = sql.raw(column);
  const one = sql.raw(String(unit));
  return sql`div(${amount}, ${one}) + case when row_number() over (order by ${amount} % ${one} desc, key)
    <= div(sum(${amount}) over (), ${one}) - sum(div(${amount}, ${one})) over () then 1 else 0 end`;
}

type Part = (ctx: Ctx<TenantActor>) => SQL;

/** What a row is called, and what stands under it: the other side, where there is one. */
const names: Record<Grouping, Part> = {
  day: () => sql`null as name, null as note`,
  channel: () => sql`null as name, null as note`,
  category: () => sql`rounded.key as name, null as note`,
  campaign: ({ actor }) =>
    actor.kind === "publisher"
      ? sql`item.campaign_name as name, item.advertiser_name as note`
      : sql`campaign.name as name, null as note`,
  audience: ({ actor }) =>
    sql`audience.name as name, ${actor.kind === "publisher" ? sql`null` : sql`owner.company_name`} as note`,
};

const joined: Record<Grouping, Part> = {
  day: () => sql``,
  channel: () => sql``,
  category: () => sql``,
  campaign: ({ actor }) =>
    actor.kind === "publisher"
      ? sql`join line_items item on item.campaign_id = rounded.key and item.publisher_id = ${actor.accountId}`
      : sql`join campaigns campaign on campaign.id = rounded.key`,
  audience: () =>
    sql`join audiences audience on audience.id = rounded.key join accounts owner on owner.id = audience.publisher_id`,
};

const sortedBy: Record<PerformanceSort, SQL> = {
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
