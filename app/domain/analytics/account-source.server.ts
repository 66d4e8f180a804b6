import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx, TenantActor } from "../context.ts";
import {
  counters,
  type DeliveryQuery,
  factFilters,
  inPeriod,
  isGroupedBy,
  selectKeys,
  splitMonths,
} from "./delivery-query.server.ts";
import { factsOfEach } from "./line-item-source.server.ts";
import type { Period } from "./period.ts";

/**
 * Selects from the roll-ups of the account, by category where the query needs that, with the columns of
 * `deliverySource`.
 */
export function accountSource(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  return needsCategories(ctx, query) ? fromCategories(ctx, query) : fromAccount(ctx, query);
}

/**
 * Days by category have what those by audience do not. Their months are the fewest rows for anything but days by
 * audience or publisher; without either, an account's days by channel are.
 */
function needsCategories({ actor }: ReadCtx<TenantActor>, query: DeliveryQuery): boolean {
  if (query.filters.category !== undefined || isGroupedBy(query, "category")) return true;
  const others = actor.kind === "advertiser" ? (["publisher"] as const) : [];
  return !isGroupedBy(query, "day") && (Boolean(query.filters.audience) || isGroupedBy(query, "audience", ...others));
}

/** Reads the account's days by channel, or by audience and channel. */
function fromAccount({ actor }: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  const { period, filters } = query;
  const keys = selectKeys(query, {
    day: sql`fact.day`,
    channel: sql`fact.channel`,
    audience: sql`null`,
    campaign: sql`null`,
    category: sql`null`,
    publisher: sql`fact.account_id`,
    advertiser: sql`fact.account_id`,
  });
  return sql`select ${keys}, ${counters}, fact.earned_units
    from ${filters.audience ? sql`account_audience_days` : sql`account_days`} fact
    where fact.account_id = ${actor.accountId} and ${inPeriod(period)} ${factFilters(filters)}`;
}

/**
 * Reads the account's days and months by category. A line item whose version has another category than the one that its
 * facts are summed under is subtracted there and added here, from its facts, until a job has moved its sums.
 */
function fromCategories(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  const { actor } = ctx;
  const { period, filters } = query;
  const byPublisher = actor.kind === "advertiser" && isGroupedBy(query, "publisher");
  const keys = selectKeys(query, {
    day: sql`fact.day`,
    channel: sql`fact.channel`,
    audience: sql`fact.audience_id`,
    campaign: sql`null`,
    category: sql`nullif(fact.category, '')`,
    publisher: byPublisher ? sql`owned.publisher_id` : sql`fact.account_id`,
    advertiser: sql`fact.account_id`,
  });
  const owner = sql.raw(actor.kind === "publisher" ? "publisher_id" : "advertiser_id");
  const inCategory = (column: SQL) =>
    filters.category === undefined ? sql`` : sql`and ${column} = ${filters.category} and ${column} <> ''`;
  const { months, days } = isGroupedBy(query, "day") ? { months: undefined, days: [period] } : splitMonths(ctx, period);
  const ofCategories = (table: SQL, place: SQL, { from, to }: Period) => sql`
    select fact.account_id, fact.${place} as day, fact.category, fact.audience_id, fact.channel, fact.facts, ${counters}, fact.earned_units from ${table} fact
    where fact.account_id = ${actor.accountId} and fact.${place} between ${from}::date and ${to}::date ${factFilters(filters)} ${inCategory(sql`fact.category`)}`;
  const parts = days.map((part) => ofCategories(sql`account_category_days`, sql`day`, part));
  if (months) parts.push(ofCategories(sql`account_category_months`, sql`month`, months));
  if (filters.category !== undefined || isGroupedBy(query, "category"))
    parts.push(sql`
      select known.${owner}, fact.day, side.category, fact.audience_id, fact.channel, side.sign, side.sign * fact.impressions, side.sign * fact.clicks, side.sign * fact.conversions,
        side.sign * fact.spend_micros, side.sign * fact.revenue_micros, side.sign * fact.spend_micros::numeric * item.commission_rate_bps
      from line_item_categories known join line_items item on item.id = known.line_item_id
        cross join lateral (values (-1, known.summed_category), (1, known.category)) side (sign, category)
        join ${factsOfEach(query)} fact on true
      where known.${owner} = ${actor.accountId} and known.category is distinct from known.summed_category ${inCategory(sql`side.category`)}`);
  return sql`
    select ${keys}, sum(impressions) as impressions, sum(clicks) as clicks, sum(conversions) as conversions, sum(spend_micros) as spend_micros,
      sum(revenue_micros) as revenue_micros, sum(earned_units) as earned_units
    from (${sql.join(parts, sql` union all `)}) fact ${byPublisher ? sql`join audiences owned on owned.id = fact.audience_id` : sql``}
    group by 1${query.split ? sql`, 2` : sql``} having sum(fact.facts) > 0`;
}
