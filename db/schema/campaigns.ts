import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import {
  type AdFormat,
  type ApprovalStatus,
  adFormats,
  approvalStatuses,
  type CampaignStatus,
  type Channel,
  type ChannelType,
  campaignStatuses,
  channels,
  channelTypes,
  type FrequencyCapPeriod,
  frequencyCapPeriods,
  type Geolocation,
  geolocations,
  type LineItemStatus,
  type Objective,
  objectives,
  type Pacing,
  pacings,
  type RejectionReason,
} from "#app/domain/campaigns/campaign.ts";
import type {
  AccountId,
  AudienceId,
  CampaignId,
  CreativeId,
  DecisionId,
  LineItemId,
  ProductId,
  UserId,
} from "#app/domain/ids.ts";
import { accounts } from "./accounts.ts";
import { audiences } from "./audiences.ts";
import { allOf, cents, createdAt, instant, oneOf, primaryId } from "./columns.ts";

/** What a version of a campaign consists of: the working copy and each version sent have the same columns. */
function contentColumns() {
  return {
    objective: text("objective").$type<Objective>(),
    adFormat: text("ad_format").$type<AdFormat>(),
    landingUrl: text("landing_url"),
    /** The accounts that own them are in their rows: the campaign's own, or the publisher's that manages it. */
    creativeIds: uuid("creative_ids").array().$type<CreativeId[]>().notNull().default(sql`'{}'`),
    /** What is shown of the creatives where there is room for one; of old campaigns an address that was typed. */
    creativePreviewUrl: text("creative_preview_url"),
    productIds: uuid("product_ids").array().$type<ProductId[]>().notNull().default(sql`'{}'`),
    geolocations: text("geolocations").array().$type<Geolocation[]>().notNull().default(sql`'{}'`),
    frequencyCapImpressions: smallint("frequency_cap_impressions").notNull().default(3),
    frequencyCapPeriod: text("frequency_cap_period").$type<FrequencyCapPeriod>().notNull().default("day"),
    channelType: text("channel_type").$type<ChannelType>().notNull().default("dsp"),
    channels: text("channels").array().$type<Channel[]>().notNull().default(sql`'{}'`),
    totalBudgetCents: cents("total_budget_cents"),
    dailyBudgetCents: cents("daily_budget_cents"),
    startDate: date("start_date", { mode: "string" }).$type<CalendarDate>(),
    endDate: date("end_date", { mode: "string" }).$type<CalendarDate>(),
  };
}

function contentChecks(prefix: string, table: Record<keyof ReturnType<typeof contentColumns>, AnyPgColumn>) {
  return [
    oneOf(`${prefix}_objective`, table.objective, objectives),
    oneOf(`${prefix}_ad_format`, table.adFormat, adFormats),
    oneOf(`${prefix}_frequency_cap_period`, table.frequencyCapPeriod, frequencyCapPeriods),
    oneOf(`${prefix}_channel_type`, table.channelType, channelTypes),
    allOf(`${prefix}_channels`, table.channels, channels),
    allOf(`${prefix}_geolocations`, table.geolocations, geolocations),
    check(`${prefix}_frequency_cap`, sql`${table.frequencyCapImpressions} between 1 and 10`),
    check(`${prefix}_budgets`, sql`${table.totalBudgetCents} >= 0 and ${table.dailyBudgetCents} >= 0`),
    check(`${prefix}_dates`, sql`isfinite(${table.startDate}) and isfinite(${table.endDate})`),
  ];
}

/**
 * A campaign and its working copy: what the wizard saves. What publishers decide is a version, a frozen copy.
 * `status` is the advertiser's view and is derived by `campaignStatusOf` whenever something it depends on changes.
 */
export const campaigns = pgTable(
  "campaigns",
  {
    id: primaryId<CampaignId>(),
    advertiserId: uuid("advertiser_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull().default(""),
    status: text("status").$type<CampaignStatus>().notNull().default("draft"),
    ...contentColumns(),
    /** The advertiser's own affair, so it is not part of what publishers decide. */
    pacing: text("pacing").$type<Pacing>().notNull().default("even"),
    /** Audiences of the working copy; those of a sent version are rows with foreign keys. */
    audienceIds: uuid("audience_ids").array().$type<AudienceId[]>().notNull().default(sql`'{}'`),
    /** The newest version sent, 0 before the first launch. */
    version: integer("version").notNull().default(0),
    /** The working copy differs from the newest version sent. */
    hasUnsentChanges: boolean("has_unsent_changes").notNull().default(false),
    launchedAt: instant("launched_at"),
    pausedAt: instant("paused_at"),
    completedAt: instant("completed_at"),
    /** The last day on which an approved version may run; the campaign is completed the day after. */
    runsUntil: date("runs_until", { mode: "string" }).$type<CalendarDate>(),
    managedByPublisherId: uuid("managed_by_publisher_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    impressions: bigint("impressions", { mode: "number" }).notNull().default(0),
    clicks: bigint("clicks", { mode: "number" }).notNull().default(0),
    conversions: bigint("conversions", { mode: "number" }).notNull().default(0),
    spendMicros: bigint("spend_micros", { mode: "bigint" }).notNull().default(sql`0`),
    revenueMicros: bigint("revenue_micros", { mode: "bigint" }).notNull().default(sql`0`),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    ...contentChecks("campaigns", table),
    oneOf("campaigns_status", table.status, campaignStatuses),
    oneOf("campaigns_pacing", table.pacing, pacings),
    check(
      "campaigns_status_facts",
      sql`(${table.status} = 'completed') = (${table.completedAt} is not null) and (${table.status} <> 'paused' or ${table.pausedAt} is not null)`,
    ),
    index("campaigns_advertiser").on(table.advertiserId, table.id),
    index("campaigns_by_name").on(table.advertiserId, table.name, table.id),
    index("campaigns_by_budget").on(table.advertiserId, sql`coalesce(${table.totalBudgetCents}, 0)`, table.id),
    index("campaigns_by_impressions").on(table.advertiserId, table.impressions, table.id),
    index("campaigns_advertiser_status").on(table.advertiserId, table.status, table.id),
    index("campaigns_creatives").using("gin", table.creativeIds).where(sql`${table.creativeIds} <> '{}'`),
    index("campaigns_running_end").on(table.runsUntil).where(sql`${table.status} in ('active', 'paused')`),
  ],
);

/** What was sent to the publishers, numbered from 1. Never changed. */
export const campaignVersions = pgTable(
  "campaign_versions",
  {
    campaignId: uuid("campaign_id")
      .$type<CampaignId>()
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    ...contentColumns(),
    /** The category that most of its products were in when it was sent, the first by name of several; null without products. */
    productCategory: text("product_category"),
    sentAt: instant("sent_at").notNull(),
    sentBy: uuid("sent_by").$type<UserId>(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.number] }),
    ...contentChecks("campaign_versions", table),
    index("campaign_versions_creatives").using("gin", table.creativeIds).where(sql`${table.creativeIds} <> '{}'`),
    check(
      "campaign_versions_complete",
      // `is true`, since a CHECK takes null for a yes.
      sql`(${table.objective} is not null and ${table.adFormat} is not null and ${table.totalBudgetCents} > 0 and ${table.dailyBudgetCents} between 1 and ${table.totalBudgetCents} and ${table.startDate} <= ${table.endDate} and cardinality(${table.channels}) > 0) is true`,
    ),
  ],
);

/**
 * One publisher's part of a campaign: its own say, pause, commission and delivery.
 * `status` (of the version approved last) is computed by the database from the facts beside it.
 */
export const lineItems = pgTable(
  "line_items",
  {
    id: primaryId<LineItemId>(),
    campaignId: uuid("campaign_id")
      .$type<CampaignId>()
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    /** Copies of the campaign's, so that a publisher's lists read one table. Kept by the verbs that change them. */
    campaignName: text("campaign_name").notNull(),
    advertiserName: text("advertiser_name").notNull(),
    /** The newest version this publisher was asked about, and what it said. */
    sentVersion: integer("sent_version").notNull(),
    approvalStatus: text("approval_status").$type<ApprovalStatus>().notNull().default("pending"),
    /** The version that may run; null until the first yes. */
    approvedVersion: integer("approved_version"),
    notes: text("notes"),
    decidedAt: instant("decided_at"),
    publisherPausedAt: instant("publisher_paused_at"),
    advertiserPausedAt: instant("advertiser_paused_at"),
    completedAt: instant("completed_at"),
    withdrawnAt: instant("withdrawn_at"),
    status: text("status")
      .$type<LineItemStatus>()
      .notNull()
      .generatedAlwaysAs(
        sql`case when withdrawn_at is not null then 'withdrawn' when approved_version is null then 'pending' when completed_at is not null then 'completed' when publisher_paused_at is not null or advertiser_paused_at is not null then 'paused' else 'active' end`,
      ),
    managedByRetailer: boolean("managed_by_retailer").notNull().default(false),
    commissionRateBps: integer("commission_rate_bps").notNull(),
    impressions: bigint("impressions", { mode: "number" }).notNull().default(0),
    clicks: bigint("clicks", { mode: "number" }).notNull().default(0),
    conversions: bigint("conversions", { mode: "number" }).notNull().default(0),
    spendMicros: bigint("spend_micros", { mode: "bigint" }).notNull().default(sql`0`),
    revenueMicros: bigint("revenue_micros", { mode: "bigint" }).notNull().default(sql`0`),
    createdAt: createdAt(),
    sentAt: instant("sent_at").notNull(),
    /** When `status` or `approvedVersion` changed last, by the verb's clock: what begins or ends a run (by trigger). */
    changedAt: instant("changed_at").notNull().defaultNow(),
  },
  (table) => [
    unique("line_items_campaign_publisher").on(table.campaignId, table.publisherId),
    unique("line_items_id_publisher").on(table.id, table.publisherId),
    foreignKey({
      name: "line_items_sent_version",
      columns: [table.campaignId, table.sentVersion],
      foreignColumns: [campaignVersions.campaignId, campaignVersions.number],
    }),
    foreignKey({
      name: "line_items_approved_version",
      columns: [table.campaignId, table.approvedVersion],
      foreignColumns: [campaignVersions.campaignId, campaignVersions.number],
    }),
    oneOf("line_items_approval_status", table.approvalStatus, approvalStatuses),
    check("line_items_commission", sql`${table.commissionRateBps} between 0 and 8000`),
    check(
      "line_items_approved_means_version",
      sql`(${table.approvalStatus} <> 'approved' or ${table.approvedVersion} = ${table.sentVersion}) is true`,
    ),
    check("line_items_version_order", sql`${table.approvedVersion} <= ${table.sentVersion}`),
    index("line_items_publisher").on(table.publisherId, table.id),
    index("line_items_publisher_approval").on(table.publisherId, table.approvalStatus, table.id),
    index("line_items_publisher_status").on(table.publisherId, table.status, table.id),
    index("line_items_waiting").on(table.sentAt).where(sql`${table.approvalStatus} = 'pending'`),
    index("line_items_publisher_managed").on(table.publisherId, table.id).where(sql`${table.managedByRetailer}`),
  ],
);

/**
 * The audiences of a version, with their owner: the composite foreign keys refuse an audience that is not the
 * publisher's. The CPM is null until that publisher approves the version, then frozen.
 */
export const versionAudiences = pgTable(
  "version_audiences",
  {
    campaignId: uuid("campaign_id").$type<CampaignId>().notNull(),
    version: integer("version").notNull(),
    audienceId: uuid("audience_id").$type<AudienceId>().notNull(),
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    cpmCents: cents("cpm_cents"),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.version, table.audienceId] }),
    foreignKey({
      name: "version_audiences_version",
      columns: [table.campaignId, table.version],
      foreignColumns: [campaignVersions.campaignId, campaignVersions.number],
    }).onDelete("cascade"),
    foreignKey({
      name: "version_audiences_audience",
      columns: [table.audienceId, table.publisherId],
      foreignColumns: [audiences.id, audiences.publisherId],
    }),
    index("version_audiences_audience").on(table.audienceId),
  ],
);

/** A publisher's answer to one version. Never changed; at most one for each version of a line item. */
export const decisions = pgTable(
  "decisions",
  {
    id: primaryId<DecisionId>(),
    lineItemId: uuid("line_item_id")
      .$type<LineItemId>()
      .notNull()
      .references(() => lineItems.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    action: text("action").$type<"approve" | "reject">().notNull(),
    notes: text("notes"),
    reasons: text("reasons").array().$type<RejectionReason[]>().notNull().default(sql`'{}'`),
    /** From the session or the key, never from the body. */
    decidedByUserId: uuid("decided_by_user_id").$type<UserId>(),
    decidedAt: instant("decided_at").notNull(),
  },
  (table) => [
    oneOf("decisions_action", table.action, ["approve", "reject"]),
    uniqueIndex("decisions_line_item_version").on(table.lineItemId, table.version),
  ],
);

/** How many line items a publisher has in each state, with their sums: tabs and tiles read this (kept by trigger). */
export const lineItemCounts = pgTable(
  "line_item_counts",
  {
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    approvalStatus: text("approval_status").$type<ApprovalStatus>().notNull(),
    status: text("status").$type<LineItemStatus>().notNull(),
    managedByRetailer: boolean("managed_by_retailer").notNull(),
    lineItems: bigint("line_items", { mode: "number" }).notNull(),
    impressions: bigint("impressions", { mode: "number" }).notNull(),
    commissionCents: cents("commission_cents").notNull(),
    /** Sum of each line item's CTR in millionths of a percent's hundredth (clicks × 1e8 / impressions), for the mean. */
    ctrSum: bigint("ctr_sum", { mode: "bigint" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.publisherId, table.approvalStatus, table.status, table.managedByRetailer] }),
  ],
);

/** The same for an advertiser's campaigns, by status. */
export const campaignCounts = pgTable(
  "campaign_counts",
  {
    advertiserId: uuid("advertiser_id").$type<AccountId>().notNull(),
    status: text("status").$type<CampaignStatus>().notNull(),
    campaigns: bigint("campaigns", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.advertiserId, table.status] })],
);
