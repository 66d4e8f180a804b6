import { type SQL, sql } from "drizzle-orm";
import { addDays, type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AnalyticsFilters, Dimension } from "./analytics.ts";
import { intervalStart, nextInterval } from "./interval.ts";
import type { Period } from "./period.ts";

/** Two groupings are two keys. `week` and `month` are sums of days, so a source has only days. */
export type DeliveryQuery = {
  period: Period;
  filters: AnalyticsFilters;
  group: SourceGrouping | "all";
  split?: SourceGrouping;
  /** The campaigns to read, where the others are not asked for: their line items are found by their keys. */
  campaigns?: readonly string[];
};
type SourceGrouping = Dimension | "day";

/**
 * Chooses the source of a query: the smallest roll-up that has its filters and its groupings, and facts for the days of a
 * campaign by audience or channel. Returns rows of (`key`, `split_key` with a second grouping, counters, `spend_micros`,
 * `revenue_micros`, `earned_units`) of the actor's account, still to be summed by key.
 */
export function deliverySource(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  if (!namesLineItems(ctx, query))
    return needsCategories(ctx, query) ? fromCategories(ctx, query) : fromAccount(ctx, query);
  const daily = needsParts(query) ? factsOfEach(query) : sql`line_item_days`;
  if (isGroupedBy(query, "day")) return fromLineItems(ctx, query, daily);
  return fromMonths(ctx, query, needsParts(query) ? sumPartsOfEach : sumOfEach);
}

/**
 * Selects a row for each month and fact by audience and channel that `deliverySource` sums, which are those of a query that
 * `readsParts`.
 */
export function partsSource(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): SQL {
  if (isGroupedBy(query, "day")) return fromLineItems(ctx, query, factsOfEach(query));
  return fromMonths(ctx, query, partsOfEach);
}

/**
 * Returns whether the query reads the months of all line items that its filters leave by audience and channel, and their
 * facts at the ends of the period.
 */
export function readsParts(ctx: ReadCtx<TenantActor>, query: DeliveryQuery): boolean {
  return namesLineItems(ctx, query) && needsParts(query);
}

/**
 * Days by category have what those by audience do not. Their months are the fewest rows for anything but days by audience
 * or publisher; without either, an account's days by channel are.
 */
function needsCategories({ actor }: ReadCtx<TenantActor>, query: DeliveryQuery): boolean {
  if (query.filters.category !== undefined || isGroupedBy(query, "category")) return true;
  const others = actor.kind === "advertiser" ? (["publisher"] as const) : [];
  return !isGroupedBy(query, "day") && (Boolean(query.filters.audience) || isGroupedBy(query, "audience", ...others));
}

/** A publisher's advertisers are those of its line items. */
function namesLineItems({ actor }: ReadCtx<TenantActor>, query: DeliveryQuery): boolean {
  const others = actor.kind === "publisher" ? (["advertiser"] as const) : [];
  return Boolean(query.filters.campaign) || isGroupedBy(query, "campaign", ...others);
}

function needsParts(query: DeliveryQuery): boolean {
  return Boolean(query.filters.channel || query.filters.audience) || isGroupedBy(query, "channel", "audience");
}

function isGroupedBy({ group, split }: DeliveryQuery, ...groupings: SourceGrouping[]): boolean {
  return groupings.some((one) => one === group || one === split);
}

const counters = sql.raw("fact.impressions, fact.clicks, fact.conversions, fact.spend_micros, fact.revenue_micros");

/** Selects the keys of the query's groupings from the columns of a source. */
function selectKeys({ group, split }: DeliveryQuery, columns: Record<SourceGrouping, SQL>): SQL {
  const key = group === "all" ? sql`''` : columns[group];
  return split ? sql`${key} as key, ${columns[split]} as split_key` : sql`${key} as key`;
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

/** Splits a period into its whole months and the days before and after them. */
function splitMonths(ctx: ReadCtx<TenantActor>, period: Period): { months?: Period; days: Period[] } {
  const { from, to } = period;
  const first = from.endsWith("-01") ? from : monthAfter(from);
  // Nothing is delivered after today, so the current month counts as whole.
  const end = to >= calendarDateOf(ctx.clock()) ? monthAfter(to) : monthOf(addDays(to, 1));
  if (first >= end) return { days: [period] };
  const days: Period[] = [];
  if (from < first) days.push({ from, to: addDays(first, -1) });
  if (end <= to) days.push({ from: end, to });
  return { months: { from: first, to: addDays(end, -1) }, days };
}

/** Reads the facts of each line item by their key; a plain join may read the facts of all accounts. */
function factsOfEach(query: DeliveryQuery): SQL {
  return partsOfEach(query, sql`line_item_audience_days`, sql`day`);
}

function partsOfEach({ period, filters }: DeliveryQuery, table: SQL, place: SQL): SQL {
  return sql`lateral (
    select fact.line_item_id, fact.${place} as day, fact.audience_id, fact.channel, ${counters}
    from ${table} fact where fact.line_item_id = item.id and ${between(place, period)} ${factFilters(filters)} offset 0)`;
}

/** Sums the months or facts of each line item by those of audience and channel that the query is grouped by. */
function sumPartsOfEach(query: DeliveryQuery, table: SQL, place: SQL): SQL {
  const keys = [
    ...(isGroupedBy(query, "audience") ? [sql`fact.audience_id`] : []),
    ...(isGroupedBy(query, "channel") ? [sql`fact.channel`] : []),
  ];
  return sumByKeys(query, table, place, keys);
}

/** Sums the few days or months of each line item by their key; a plain join would read all days of the year. */
function sumOfEach(query: DeliveryQuery, table: SQL, place: SQL): SQL {
  return sumByKeys({ ...query, filters: {} }, table, place, []);
}

/**
 * Each line item's sums are cast back, because to sum numeric values again takes longer, and so does the commission of each
 * month.
 */
function sumByKeys({ period, filters }: DeliveryQuery, table: SQL, place: SQL, keys: readonly SQL[]): SQL {
  const listed = keys.map((key) => sql`${key}, `);
  return sql`lateral (
    select item.id as line_item_id, max(fact.${place}) as day, ${sql.join(listed)} sum(fact.impressions)::bigint as impressions, sum(fact.clicks)::bigint as clicks,
      sum(fact.conversions)::bigint as conversions, sum(fact.spend_micros)::bigint as spend_micros, sum(fact.revenue_micros)::bigint as revenue_micros
    from ${table} fact where fact.line_item_id = item.id and ${between(place, period)} ${factFilters(filters)}
    ${keys.length > 0 ? sql`group by ${sql.join([...keys], sql`, `)}` : sql`having count(*) > 0`})`;
}

function monthOf(day: CalendarDate): CalendarDate {
  return intervalStart(day, "month");
}

function monthAfter(day: CalendarDate): CalendarDate {
  return nextInterval(monthOf(day), "month");
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

function inPeriod(period: Period): SQL {
  return between(sql`day`, period);
}

function between(place: SQL, { from, to }: Period): SQL {
  return sql`fact.${place} between ${from}::date and ${to}::date`;
}

function factFilters({ audience, channel }: AnalyticsFilters): SQL {
  return sql`${audience ? sql`and fact.audience_id = ${audience}` : sql``} ${channel ? sql`and fact.channel = ${channel}` : sql``}`;
}
