import { type SQL, sql } from "drizzle-orm";
import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AnalyticsFilters, Grouping } from "./analytics.ts";
import type { Period } from "./period.ts";

export type Asked = { period: Period; filters: AnalyticsFilters; group: Grouping | "all" };

/**
 * Where the question is answered from: the smallest roll-up that knows its filters and its grouping, else the facts. Rows of
 * (`key`, counters, `spend_micros`, `revenue_micros`, `earned_units`), still to be summed by key; only ever of the actor's.
 */
export function deliverySource(ctx: Ctx<TenantActor>, asked: Asked): SQL {
  const { filters, group } = asked;
  const ofLineItems =
    filters.campaign || filters.category !== undefined || group === "campaign" || group === "category";
  const ofFacts = filters.channel || filters.audience || group === "channel" || group === "audience";
  if (!ofLineItems) return fromAccount(ctx, asked);
  if (ofFacts) return fromLineItems(ctx, asked, sql`deliveries`);
  // A line item has few days: months are worth it where many line items are summed.
  if (group === "day" || filters.campaign) return fromLineItems(ctx, asked, sql`line_item_days`);
  return fromMonths(ctx, asked);
}

const counters = sql.raw("fact.impressions, fact.clicks, fact.conversions, fact.spend_micros, fact.revenue_micros");

/** Sums of the account's own. */
function fromAccount(ctx: Ctx<TenantActor>, { period, filters, group }: Asked): SQL {
  const table = filters.audience || group === "audience" ? sql`account_audience_days` : sql`account_days`;
  const keys = {
    all: sql`''`,
    day: sql`fact.day`,
    channel: sql`fact.channel`,
    audience: sql`fact.audience_id`,
    campaign: sql`null`,
    category: sql`null`,
  };
  return sql`select ${keys[group]} as key, ${counters}, fact.earned_units from ${table} fact
    where fact.account_id = ${ctx.actor.accountId} and ${within(period)} ${onlyFacts(filters)}`;
}

/** Of the line items that are the account's: their days, or their facts. */
function fromLineItems(ctx: Ctx<TenantActor>, { period, filters, group }: Asked, table: SQL): SQL {
  const keys = {
    all: sql`''`,
    day: sql`fact.day`,
    channel: sql`fact.channel`,
    audience: sql`fact.audience_id`,
    campaign: sql`item.campaign_id`,
    category: sql`item.category`,
  };
  return sql`select ${keys[group]} as key, ${counters}, fact.spend_micros::numeric * item.commission_rate_bps as earned_units
    from (${lineItemsOf(ctx, filters)}) item join ${table} fact on fact.line_item_id = item.id and ${within(period)} ${onlyFacts(filters)}`;
}

/** The same, of months where all of a month is asked for; the days before and after them one by one. */
function fromMonths(ctx: Ctx<TenantActor>, asked: Asked): SQL {
  const { from, to } = asked.period;
  const first = from.endsWith("-01") ? from : monthAfter(from);
  // Nothing is delivered after today, so that its month is asked for whole.
  const end = to >= calendarDateOf(ctx.clock()) ? monthAfter(to) : monthOf(addDays(to, 1));
  if (first >= end) return fromLineItems(ctx, asked, sql`line_item_days`);
  const months = sql`(select line_item_id, month as day, impressions, clicks, conversions, spend_micros, revenue_micros from line_item_months)`;
  const parts: [Period, SQL][] = [[{ from: first, to: addDays(end, -1) }, months]];
  if (from < first) parts.push([{ from, to: addDays(first, -1) }, daysSummed({ from, to: addDays(first, -1) })]);
  if (end <= to) parts.push([{ from: end, to }, daysSummed({ from: end, to })]);
  return sql.join(
    parts.map(([period, table]) => fromLineItems(ctx, { ...asked, period }, table)),
    sql` union all `,
  );
}

/** The few days of each line item by their key: joined as they are, all days of the year would be read for them. */
function daysSummed(period: Period): SQL {
  return sql`lateral (
    select item.id as line_item_id, max(fact.day) as day, sum(fact.impressions) as impressions, sum(fact.clicks) as clicks, sum(fact.conversions) as conversions,
      sum(fact.spend_micros) as spend_micros, sum(fact.revenue_micros) as revenue_micros
    from line_item_days fact where fact.line_item_id = item.id and ${within(period)} having count(*) > 0)`;
}

function monthOf(day: CalendarDate): CalendarDate {
  return addDays(day, 1 - Number(day.slice(8)));
}

function monthAfter(day: CalendarDate): CalendarDate {
  return monthOf(addDays(monthOf(day), 31));
}

function lineItemsOf({ actor }: Ctx<TenantActor>, filters: AnalyticsFilters): SQL {
  const owned =
    actor.kind === "publisher"
      ? sql`item.publisher_id = ${actor.accountId}`
      : sql`item.campaign_id in (select id from campaigns where advertiser_id = ${actor.accountId})`;
  return sql`select item.id, item.campaign_id, item.commission_rate_bps, version.product_category as category
    from line_items item left join campaign_versions version on version.campaign_id = item.campaign_id
      and version.number = coalesce(item.approved_version, item.sent_version)
    where ${owned} ${filters.campaign ? sql`and item.campaign_id = ${filters.campaign}` : sql``}
      ${filters.category === undefined ? sql`` : sql`and version.product_category = ${filters.category}`}`;
}

function within({ from, to }: Period): SQL {
  return sql`fact.day between ${from}::date and ${to}::date`;
}

function onlyFacts({ audience, channel }: AnalyticsFilters): SQL {
  return sql`${audience ? sql`and fact.audience_id = ${audience}` : sql``} ${channel ? sql`and fact.channel = ${channel}` : sql``}`;
}
