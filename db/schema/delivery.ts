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
import { type ActivationState, activationStates } from "#app/domain/delivery/channels/activation.ts";
import { type ChannelProblem, channelProblems } from "#app/domain/delivery/channels/channel-problem.ts";
import type { StoredCreative } from "#app/domain/delivery/delivery-creatives.ts";
import type { RowRejection } from "#app/domain/delivery/delivery-row.ts";
import type { AccountId, AudienceId, CampaignId, CreativeId, DeliveryReportId, LineItemId } from "#app/domain/ids.ts";
import { instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { audiences } from "./audiences.ts";
import { campaignVersions, lineItems } from "./campaigns.ts";

/**
 * The runs of a line item, each on one version: from an approval or a resumption to a pause, a withdrawal, the end, or
 * another version's approval. At most one is open. Maintained by trigger; delivery of a day is accepted when a run
 * overlaps it.
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

/** A delivery report that changed something: its sender, and how many of its rows were new, restated, or rejected. */
export const deliveryReports = pgTable(
  "delivery_reports",
  {
    id: primaryId<DeliveryReportId>(),
    receivedAt: instant("received_at").notNull(),
    reportedBy: text("reported_by").notNull(),
    rows: integer("rows").notNull(),
    added: integer("added").notNull(),
    restated: integer("restated").notNull(),
    rejected: integer("rejected").notNull(),
  },
  (table) => [
    check(
      "delivery_reports_numbers",
      sql`${table.added} >= 0 and ${table.restated} >= 0 and ${table.rejected} >= 0 and ${table.added} + ${table.restated} > 0 and ${table.added} + ${table.restated} + ${table.rejected} <= ${table.rows}`,
    ),
    index("delivery_reports_received").on(table.receivedAt),
  ],
);

/** The counters, and amounts in micros (1e-6 USD). */
function counters() {
  return {
    impressions: bigint("impressions", { mode: "number" }).notNull(),
    clicks: bigint("clicks", { mode: "number" }).notNull(),
    conversions: bigint("conversions", { mode: "number" }).notNull(),
    spendMicros: bigint("spend_micros", { mode: "bigint" }).notNull(),
    revenueMicros: bigint("revenue_micros", { mode: "bigint" }).notNull(),
  };
}

/** A fact's key, its metrics, and the report that last stated them. */
function factColumns() {
  return {
    lineItemId: uuid("line_item_id").$type<LineItemId>().notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    day: date("day", { mode: "string" }).$type<CalendarDate>().notNull(),
    audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    /** The source of the counts: one of our channel integrations, or the name in the report. */
    source: text("source").notNull(),
    /** Increases by one with each restatement. */
    revision: integer("revision").notNull().default(1),
    ...counters(),
    /**
     * The cost that the source reports. `spendMicros` is the part within the budgets; the rest is over-delivery, at the
     * platform's expense.
     */
    reportedMicros: bigint("reported_micros", { mode: "bigint" }).notNull(),
    /** The number of distinct people reached; null when the source does not report it. */
    reach: bigint("reach", { mode: "number" }),
    /** The delivery of each creative by id; null when the source does not report it. The sum never exceeds the fact. */
    creatives: jsonb("creatives").$type<StoredCreative[]>(),
    reportId: uuid("report_id").$type<DeliveryReportId>().notNull(),
  };
}

/**
 * The facts of delivery: what a line item delivered to an audience on a channel on a day (UTC), by source. Rows are
 * restated, never deleted; all counters and roll-ups are their sums (by trigger, in the same transaction). Partitioned
 * by the month of `day` (docs/decisions/0101), so a statement names the days that it needs.
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

/**
 * A fact before a restatement. Insert-only, by trigger. Partitioned as the facts are; the foreign key is one of each
 * partition to the facts of the same month.
 */
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

/** The sums of a line item's facts by day (by trigger), for daily budgets and daily delivery. */
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
 * The sums of a line item's facts by creative (by trigger). A creative may be deleted when its campaigns are over; its
 * delivery remains.
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

/** The sums of a line item's days by calendar month (by trigger), for queries over a year of many campaigns. */
export const lineItemMonths = pgTable(
  "line_item_months",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id),
    /** The first day of the month. */
    month: date("month", { mode: "string" }).$type<CalendarDate>().notNull(),
    ...counters(),
  },
  (table) => [
    primaryKey({ columns: [table.lineItemId, table.month] }),
    check("line_item_months_first", sql`extract(day from ${table.month}) = 1`),
  ],
);

/**
 * The sums of a line item's facts by calendar month, audience and channel (by trigger), for queries over a year that
 * split or filter many campaigns by audience or channel. Its rows are created by the trigger alone, from facts whose
 * keys are checked, so that it needs no foreign keys.
 */
export const lineItemAudienceMonths = pgTable(
  "line_item_audience_months",
  {
    lineItemId: uuid("line_item_id").$type<LineItemId>().notNull(),
    /** The first day of the month. */
    month: date("month", { mode: "string" }).$type<CalendarDate>().notNull(),
    audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    ...counters(),
  },
  (table) => [
    primaryKey({
      name: "line_item_audience_months_pk",
      columns: [table.lineItemId, table.month, table.audienceId, table.channel],
    }),
  ],
);

/**
 * The category of a line item's version (by trigger; empty without products), and the one that `accountCategoryDays`
 * has its facts under. They differ after a version with another category, until a job moves the sums. The latter is
 * null until the migration that created the roll-ups has summed the line item's facts.
 */
export const lineItemCategories = pgTable(
  "line_item_categories",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .primaryKey()
      .references(() => lineItems.id, { onDelete: "cascade" }),
    advertiserId: uuid("advertiser_id").$type<AccountId>().notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    category: text("category").notNull(),
    summedCategory: text("summed_category"),
  },
  (table) => [
    index("line_item_categories_advertiser")
      .on(table.advertiserId)
      .where(sql`${table.category} is distinct from ${table.summedCategory}`),
    index("line_item_categories_publisher")
      .on(table.publisherId)
      .where(sql`${table.category} is distinct from ${table.summedCategory}`),
    // For the filters of analytics, which list an account's categories.
    index("line_item_categories_of_advertiser").on(table.advertiserId, table.category),
    index("line_item_categories_of_publisher").on(table.publisherId, table.category),
  ],
);

/**
 * The columns of an account's roll-ups besides the counters: `earnedUnits` is spend in micros × the publisher's basis
 * points.
 */
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

/**
 * The line items of an account that delivered in a calendar month (by trigger, docs/decisions/0117): an advertiser's
 * and a publisher's. Without foreign keys, as `lineItemAudienceMonths`.
 */
export const accountLineItemMonths = pgTable(
  "account_line_item_months",
  {
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    /** The first day of the month. */
    month: date("month", { mode: "string" }).$type<CalendarDate>().notNull(),
    lineItemId: uuid("line_item_id").$type<LineItemId>().notNull(),
  },
  (table) => [
    primaryKey({ name: "account_line_item_months_pk", columns: [table.accountId, table.month, table.lineItemId] }),
  ],
);

/**
 * The sums of an account's facts by day and channel (by trigger). Each fact belongs to its advertiser and to its
 * publisher.
 */
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

/** The columns of an account's roll-ups by category besides their day or month. `facts` is the number of facts. */
function categoryColumns() {
  return {
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    category: text("category").notNull(),
    audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    facts: bigint("facts", { mode: "number" }).notNull(),
    ...counters(),
    earnedUnits: numeric("earned_units", { precision: 30, scale: 0, mode: "bigint" }).notNull(),
  };
}

/**
 * The sums of an account's facts by day, category, audience and channel (by trigger). `category` is empty for campaigns
 * without products. `facts` is their number, so that what is left without facts is deleted when a line item moves to
 * another category. Without foreign keys, as `lineItemAudienceMonths`.
 */
export const accountCategoryDays = pgTable(
  "account_category_days",
  { ...categoryColumns(), day: date("day", { mode: "string" }).$type<CalendarDate>().notNull() },
  (table) => [
    primaryKey({
      name: "account_category_days_pk",
      columns: [table.accountId, table.day, table.category, table.audienceId, table.channel],
    }),
  ],
);

/** The sums of those days by calendar month (by trigger). A row without facts counts as none. */
export const accountCategoryMonths = pgTable(
  "account_category_months",
  {
    ...categoryColumns(),
    /** The first day of the month. */
    month: date("month", { mode: "string" }).$type<CalendarDate>().notNull(),
  },
  (table) => [
    primaryKey({
      name: "account_category_months_pk",
      columns: [table.accountId, table.month, table.category, table.audienceId, table.channel],
    }),
  ],
);

/**
 * Until when the reports of a source were collected, and the last outcome: accepted rows, skipped rows by reason, or
 * why there was no report. `dueAt` delays the next collection after a failure.
 */
export const channelCollections = pgTable(
  "channel_collections",
  {
    source: text("source").primaryKey(),
    collectedUntil: instant("collected_until").notNull(),
    checkedAt: instant("checked_at"),
    accepted: integer("accepted").notNull().default(0),
    rejected: jsonb("rejected").$type<Partial<Record<RowRejection, number>>>().notNull().default({}),
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
 * The activation of a line item at a channel: written by trigger when the line item starts or stops running, sent by a
 * job. `dueAt` is when it is sent next, null when nothing is pending.
 */
export const channelActivations = pgTable(
  "channel_activations",
  {
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id, { onDelete: "cascade" }),
    channel: text("channel").$type<Channel>().notNull(),
    desiredState: text("desired_state").$type<ActivationState>().notNull(),
    desiredVersion: integer("desired_version").notNull(),
    /** What the channel confirmed last; null before the first time. */
    confirmedState: text("confirmed_state").$type<ActivationState>(),
    confirmedVersion: integer("confirmed_version"),
    /** What the channel calls it. */
    reference: text("reference"),
    /** Consecutive failures. */
    failures: integer("failures").notNull().default(0),
    problem: text("problem").$type<ChannelProblem>(),
    lastError: text("last_error"),
    dueAt: instant("due_at"),
    /** Until then one process sends it; in the past when that process ended without an outcome. */
    leasedUntil: instant("leased_until"),
  },
  (table) => [
    primaryKey({ columns: [table.lineItemId, table.channel] }),
    oneOf("channel_activations_problem", table.problem, channelProblems),
    oneOf("channel_activations_channel", table.channel, channels),
    oneOf("channel_activations_desired_state", table.desiredState, activationStates),
    oneOf("channel_activations_confirmed_state", table.confirmedState, activationStates),
    check(
      "channel_activations_confirmed",
      sql`(${table.confirmedState} is null) = (${table.reference} is null) and (${table.confirmedState} is null) = (${table.confirmedVersion} is null)`,
    ),
    check("channel_activations_failures", sql`${table.failures} >= 0`),
    index("channel_activations_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
);
