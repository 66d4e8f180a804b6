import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { type Channel, channels } from "#app/domain/campaigns/campaign.ts";
import { type ChannelProblem, channelProblems } from "#app/domain/delivery/channels/channel-problem.ts";
import { type OrderState, orderStates } from "#app/domain/delivery/channels/order.ts";
import type { StoredCreative } from "#app/domain/delivery/delivery-creatives.ts";
import type { RowRefusal } from "#app/domain/delivery/delivery-row.ts";
import type { AccountId, AudienceId, CampaignId, CreativeId, DeliveryReportId, LineItemId } from "#app/domain/ids.ts";
import { accounts } from "./accounts.ts";
import { audiences } from "./audiences.ts";
import { campaignVersions, lineItems } from "./campaigns.ts";
import { instant, oneOf, primaryId } from "./columns.ts";

/**
 * When a line item ran, and on which version: from a yes or a resumption to a pause, a withdrawal, the end or another
 * version's yes. At most one has no end. Kept by trigger; the report of a day is taken when a run touches it.
 */
export const lineItemRuns = pgTable(
  "line_item_runs",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id, { onDelete: "cascade" }),
    campaignId: uuid("campaign_id").$type<CampaignId>().notNull(),
    version: integer("version").notNull(),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.lineItemId, table.startedAt] }),
    foreignKey({
      name: "line_item_runs_version",
      columns: [table.campaignId, table.version],
      foreignColumns: [campaignVersions.campaignId, campaignVersions.number],
    }).onDelete("cascade"),
    check("line_item_runs_order", sql`${table.endedAt} > ${table.startedAt}`),
    index("line_item_runs_campaign").on(table.campaignId),
    index("line_item_runs_ended").on(table.endedAt),
  ],
);

/** A report that changed something: who sent it, and how many of its rows were new, replaced what was there, or refused. */
export const deliveryReports = pgTable(
  "delivery_reports",
  {
    id: primaryId<DeliveryReportId>(),
    receivedAt: instant("received_at").notNull(),
    reportedBy: text("reported_by").notNull(),
    rows: integer("rows").notNull(),
    added: integer("added").notNull(),
    restated: integer("restated").notNull(),
    refused: integer("refused").notNull(),
  },
  (table) => [
    check(
      "delivery_reports_numbers",
      sql`${table.added} >= 0 and ${table.restated} >= 0 and ${table.refused} >= 0 and ${table.added} + ${table.restated} > 0 and ${table.added} + ${table.restated} + ${table.refused} <= ${table.rows}`,
    ),
    index("delivery_reports_received").on(table.receivedAt),
  ],
);

/** What is counted, and the money: in micros (1e-6 USD). */
function counters() {
  return {
    impressions: bigint("impressions", { mode: "number" }).notNull(),
    clicks: bigint("clicks", { mode: "number" }).notNull(),
    conversions: bigint("conversions", { mode: "number" }).notNull(),
    spendMicros: bigint("spend_micros", { mode: "bigint" }).notNull(),
    revenueMicros: bigint("revenue_micros", { mode: "bigint" }).notNull(),
  };
}

/** A fact's key, its figures, and the report that said so last. */
function factColumns() {
  return {
    lineItemId: uuid("line_item_id").$type<LineItemId>().notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    day: date("day", { mode: "string" }).$type<CalendarDate>().notNull(),
    audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    /** Who counted: one of ours for a channel, or the name in the report. */
    source: text("source").notNull(),
    /** Grows by one with each restatement. */
    revision: integer("revision").notNull().default(1),
    ...counters(),
    /** What the source says it cost. `spendMicros` is what the budgets held of it; the rest is over-delivery, at the platform's cost. */
    reportedMicros: bigint("reported_micros", { mode: "bigint" }).notNull(),
    /** How many people it was, each once; null where the source does not say so. */
    reach: bigint("reach", { mode: "number" }),
    /** What of it each creative did, by id; null where the source does not say so. Together never more than the fact. */
    creatives: jsonb("creatives").$type<StoredCreative[]>(),
    reportId: uuid("report_id").$type<DeliveryReportId>().notNull(),
  };
}

/**
 * The facts of delivery: what a line item delivered to an audience on a channel on a day (UTC), by source. Rows are restated,
 * never deleted; all counters and roll-ups are sums of them (by trigger, in the same transaction).
 */
export const deliveries = pgTable("deliveries", factColumns(), (table) => [
  primaryKey({ columns: [table.lineItemId, table.day, table.audienceId, table.channel, table.source] }),
  foreignKey({
    name: "deliveries_line_item",
    columns: [table.lineItemId, table.publisherId],
    foreignColumns: [lineItems.id, lineItems.publisherId],
  }),
  foreignKey({
    name: "deliveries_audience",
    columns: [table.audienceId, table.publisherId],
    foreignColumns: [audiences.id, audiences.publisherId],
  }),
  foreignKey({ name: "deliveries_report", columns: [table.reportId], foreignColumns: [deliveryReports.id] }),
  oneOf("deliveries_channel", table.channel, channels),
  check("deliveries_source", sql`${table.source} ~ '^[A-Za-z0-9]([A-Za-z0-9 _.:/-]{0,62}[A-Za-z0-9])?$'`),
  check(
    "deliveries_numbers",
    sql`${table.clicks} between 0 and ${table.impressions} and ${table.conversions} >= 0 and ${table.spendMicros} between 0 and ${table.reportedMicros} and ${table.revenueMicros} >= 0 and ${table.revision} > 0`,
  ),
  check("deliveries_reach", sql`${table.reach} between least(${table.impressions}, 1) and ${table.impressions}`),
  check(
    "deliveries_creatives",
    sql`${table.creatives} is null or creatives_fit(${table.creatives}, ${table.impressions}, ${table.clicks}, ${table.conversions}, ${table.spendMicros}, ${table.revenueMicros}, ${table.reportedMicros})`,
  ),
  check("deliveries_day", sql`isfinite(${table.day})`),
]);

/** What a fact was before it was restated. Only ever inserted, by trigger. */
export const deliveryRevisions = pgTable(
  "delivery_revisions",
  { ...factColumns(), replacedBy: uuid("replaced_by").$type<DeliveryReportId>().notNull() },
  (table) => [
    primaryKey({
      name: "delivery_revisions_pk",
      columns: [table.lineItemId, table.day, table.audienceId, table.channel, table.source, table.revision],
    }),
    foreignKey({
      name: "delivery_revisions_fact",
      columns: [table.lineItemId, table.day, table.audienceId, table.channel, table.source],
      foreignColumns: [
        deliveries.lineItemId,
        deliveries.day,
        deliveries.audienceId,
        deliveries.channel,
        deliveries.source,
      ],
    }),
  ],
);

/** The facts of a line item's day, summed (by trigger): what a day's budget has left, and delivery by day. */
export const lineItemDays = pgTable(
  "line_item_days",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id),
    day: date("day", { mode: "string" }).$type<CalendarDate>().notNull(),
    ...counters(),
    reportedMicros: bigint("reported_micros", { mode: "bigint" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.lineItemId, table.day] })],
);

/**
 * What the facts of a line item say of its creatives, summed (by trigger). A creative may be deleted when its campaigns are
 * over; what it delivered stays.
 */
export const lineItemCreatives = pgTable(
  "line_item_creatives",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id),
    creativeId: uuid("creative_id").$type<CreativeId>().notNull(),
    ...counters(),
  },
  (table) => [primaryKey({ columns: [table.lineItemId, table.creativeId] })],
);

/** A line item's days, summed by calendar month (by trigger): what a year of many campaigns is read from. */
export const lineItemMonths = pgTable(
  "line_item_months",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id),
    /** Its first day. */
    month: date("month", { mode: "string" }).$type<CalendarDate>().notNull(),
    ...counters(),
  },
  (table) => [
    primaryKey({ columns: [table.lineItemId, table.month] }),
    check("line_item_months_first", sql`extract(day from ${table.month}) = 1`),
  ],
);

/** What a roll-up of an account's facts has beside the counters: `earnedUnits` is spend in micros × the publisher's basis points. */
function accountColumns() {
  return {
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    day: date("day", { mode: "string" }).$type<CalendarDate>().notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    ...counters(),
    earnedUnits: numeric("earned_units", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  };
}

/** The facts of an account's day on a channel, summed (by trigger). Each fact is its advertiser's and its publisher's. */
export const accountDays = pgTable("account_days", accountColumns(), (table) => [
  primaryKey({ columns: [table.accountId, table.day, table.channel] }),
]);

/** The same by audience. */
export const accountAudienceDays = pgTable(
  "account_audience_days",
  {
    ...accountColumns(),
    audienceId: uuid("audience_id")
      .$type<AudienceId>()
      .notNull()
      .references(() => audiences.id),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.audienceId, table.day, table.channel] })],
);

/**
 * Until when the reports of a source were collected, and what came of the last time: rows taken, rows left aside by reason,
 * or why there was no report. `dueAt` holds it back after a failure.
 */
export const channelCollections = pgTable(
  "channel_collections",
  {
    source: text("source").primaryKey(),
    collectedUntil: instant("collected_until").notNull(),
    checkedAt: instant("checked_at"),
    accepted: integer("accepted").notNull().default(0),
    refused: jsonb("refused").$type<Partial<Record<RowRefusal, number>>>().notNull().default({}),
    /** In a row. */
    failures: integer("failures").notNull().default(0),
    problem: text("problem").$type<ChannelProblem>(),
    lastError: text("last_error"),
    dueAt: instant("due_at"),
  },
  (table) => [
    oneOf("channel_collections_problem", table.problem, channelProblems),
    check("channel_collections_numbers", sql`${table.accepted} >= 0 and ${table.failures} >= 0`),
  ],
);

/**
 * What a channel is to do for a line item, and what it confirmed: written by trigger when the line item begins or stops to run,
 * sent by a job. `dueAt` is when it is to be told next, null when there is nothing to tell.
 */
export const channelOrders = pgTable(
  "channel_orders",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id, { onDelete: "cascade" }),
    channel: text("channel").$type<Channel>().notNull(),
    wanted: text("wanted").$type<OrderState>().notNull(),
    wantedVersion: integer("wanted_version").notNull(),
    /** What the channel confirmed last; null before the first time. */
    state: text("state").$type<OrderState>(),
    version: integer("version"),
    /** What the channel calls it. */
    reference: text("reference"),
    /** In a row. */
    failures: integer("failures").notNull().default(0),
    problem: text("problem").$type<ChannelProblem>(),
    lastError: text("last_error"),
    dueAt: instant("due_at"),
  },
  (table) => [
    primaryKey({ columns: [table.lineItemId, table.channel] }),
    oneOf("channel_orders_problem", table.problem, channelProblems),
    oneOf("channel_orders_channel", table.channel, channels),
    oneOf("channel_orders_wanted", table.wanted, orderStates),
    oneOf("channel_orders_state", table.state, orderStates),
    check(
      "channel_orders_confirmed",
      sql`(${table.state} is null) = (${table.reference} is null) and (${table.state} is null) = (${table.version} is null)`,
    ),
    check("channel_orders_failures", sql`${table.failures} >= 0`),
    index("channel_orders_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
);
