import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx, TenantActor } from "../context.ts";
import {
  between,
  counters,
  type DeliveryQuery,
  factFilters,
  inPeriod,
  isGroupedBy,
  monthOf,
  selectKeys,
  splitMonths,
} from "./delivery-query.server.ts";
import type { Period } from "./period.ts";

/** Selects the sums of each line item of the query, with the columns of `deliverySource`; days as they are. */
export function lineItemSource(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  return isGroupedBy(query, "day") ? fromDays(ctx, query) : fromMonths(ctx, query, sumOfEach);
}

/**
 * Selects a row for each month and fact by audience and channel that `lineItemSource` sums for a query that
 * `needsParts`.
 */
export function partsSource(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  return isGroupedBy(query, "day") ? fromDays(ctx, query) : fromMonths(ctx, query, partsOfEach);
}

/** Whether the query asks for audiences or channels, which line items' own sums do not tell apart. */
export function needsParts(query: DeliveryQuery): boolean {
  return Boolean(query.filters.channel || query.filters.audience) || isGroupedBy(query, "channel", "audience");
}

function fromDays(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  return fromLineItems(ctx, query, needsParts(query) ? factsOfEach(query) : sql`line_item_days`);
}

/** Reads the daily roll-ups or the facts of the account's line items. */
function fromLineItems(ctx: ReadCtx<TenantActor>, query: DeliveryQuery, table: SQL): SQL {
  const { period } = query;
  const byAdvertiser = isGroupedBy(query, "advertiser");
  const keys = selectKeys(query, {
    day: sql`fact.day`,
    channel: sql`fact.channel`,
    audience: sql`fact.audience_id`,
    campaign: sql`item.campaign_id`,
    category: sql`item.category`,
    publisher: sql`item.publisher_id`,
    advertiser: sql`owner.advertiser_id`,
  });
  return sql`select ${keys}, ${counters}, fact.spend_micros::numeric * item.commission_rate_bps as earned_units
    from (${selectLineItems(ctx, query)}) item ${byAdvertiser ? sql`cross join lateral (select advertiser_id from campaigns where id = item.campaign_id offset 0) owner` : sql``}
      join ${table} fact on fact.line_item_id = item.id and ${inPeriod(period)}`;
}

/** Selects from a table what a query reads of the line item `item` between two days of the column `place`. */
type OfEach = (query: DeliveryQuery, table: SQL, place: SQL) => SQL;

/**
 * The same from monthly roll-ups for whole months, and from daily ones, or facts by audience and channel, for the days
 * before and after them.
 */
function fromMonths(ctx: ReadCtx<TenantActor>, query: DeliveryQuery, ofEach: OfEach): SQL {
  const tables = needsParts(query)
    ? { months: sql`line_item_audience_months`, days: sql`line_item_audience_days` }
    : { months: sql`line_item_months`, days: sql`line_item_days` };
  const { months, days } = splitMonths(ctx, query.period);
  const read = (period: Period, table: SQL, place: SQL) =>
    fromLineItems(ctx, { ...query, period }, ofEach({ ...query, period }, table, place));
  const parts = days.map((period) => read(period, tables.days, sql`day`));
  if (months) parts.unshift(read(months, tables.months, sql`month`));
  return sql.join(parts, sql` union all `);
}

/** Reads the facts of each line item by their key; a plain join may read the facts of all accounts. */
export function factsOfEach(query: DeliveryQuery): SQL {
  return partsOfEach(query, sql`line_item_audience_days`, sql`day`);
}

function partsOfEach({ period, filters }: DeliveryQuery, table: SQL, place: SQL): SQL {
  return sql`lateral (
    select fact.line_item_id, fact.${place} as day, fact.audience_id, fact.channel, ${counters}
    from ${table} fact where fact.line_item_id = item.id and ${between(place, period)} ${factFilters(filters)} offset 0)`;
}

/**
 * Sums the days or months of each line item by its key, by those of audience and channel that the query is grouped by;
 * a plain join would read all days of the year. Each sum is cast back, because to sum numeric values again takes
 * longer, and so does the commission of each month.
 */
function sumOfEach(query: DeliveryQuery, table: SQL, place: SQL): SQL {
  const { period, filters } = query;
  const keys = [
    ...(isGroupedBy(query, "audience") ? [sql`fact.audience_id`] : []),
    ...(isGroupedBy(query, "channel") ? [sql`fact.channel`] : []),
  ];
  const listed = keys.map((key) => sql`${key}, `);
  return sql`lateral (
    select item.id as line_item_id, max(fact.${place}) as day, ${sql.join(listed)} sum(fact.impressions)::bigint as impressions, sum(fact.clicks)::bigint as clicks,
      sum(fact.conversions)::bigint as conversions, sum(fact.spend_micros)::bigint as spend_micros, sum(fact.revenue_micros)::bigint as revenue_micros
    from ${table} fact where fact.line_item_id = item.id and ${between(place, period)} ${factFilters(filters)}
    ${keys.length > 0 ? sql`group by ${sql.join([...keys], sql`, `)}` : sql`having count(*) > 0`})`;
}

/**
 * Selects the line items of the account that delivered in the months of the period, or those of the campaigns that are
 * asked for. None are read of days without delivery of the account, of which there may be some at the ends of a period.
 */
function selectLineItems(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  const { category } = query.filters;
  const needsVersion = category !== undefined || isGroupedBy(query, "category");
  const campaigns = query.filters.campaign ? [query.filters.campaign] : query.campaigns;
  return sql`select item.id, item.campaign_id, item.publisher_id, item.commission_rate_bps, ${needsVersion ? sql`version.product_category` : sql`null`} as category
    from (${campaigns ? ofCampaigns(ctx, campaigns) : delivering(ctx, query.period)}) item ${
      needsVersion
        ? sql`left join lateral (select product_category from campaign_versions version where version.campaign_id = item.campaign_id
            and version.number = coalesce(item.approved_version, item.sent_version) offset 0) version on true`
        : sql``
    } ${category === undefined ? sql`` : sql`where version.product_category = ${category}`}`;
}

function ofCampaigns({ actor }: ReadCtx<TenantActor>, campaigns: readonly string[]): SQL {
  const owned =
    actor.kind === "publisher"
      ? sql`item.publisher_id = ${actor.accountId}`
      : sql`exists (select from campaigns where id = item.campaign_id and advertiser_id = ${actor.accountId})`;
  return sql`select item.* from line_items item where item.campaign_id in ${[...campaigns]} and ${owned}`;
}

function delivering({ actor }: ReadCtx<TenantActor>, { from, to }: Period): SQL {
  return sql`select item.* from (
      select line_item_id from account_line_item_months
      where account_id = ${actor.accountId} and month between ${monthOf(from)}::date and ${monthOf(to)}::date
        and exists (select from account_days where account_id = ${actor.accountId} and day between ${from}::date and ${to}::date)
      group by line_item_id
    ) known cross join lateral (select * from line_items where id = known.line_item_id offset 0) item`;
}
