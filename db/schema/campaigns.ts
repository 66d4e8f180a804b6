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
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { type Entrypoint, entrypoints } from "#app/domain/audit/entrypoint.ts";
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
import type { CampaignStep } from "#app/domain/campaigns/campaign-field-kinds.ts";
import type { CampaignValues } from "#app/domain/campaigns/campaign-fields.ts";
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
import { allOf, cents, createdAt, instant, oneOf, primaryId, searchKey } from "#db/columns.ts";
import { accounts } from "./accounts.ts";
import { audiences } from "./audiences.ts";

/** The content of a campaign version: the working copy and every sent version have the same columns. */
function contentColumns() {
  return {
    objective: text("objective").$type<Objective>(),
    adFormat: text("ad_format").$type<AdFormat>(),
    landingUrl: text("landing_url"),
    /** The owner is in the creatives' rows: the campaign's advertiser, or the publisher that manages it. */
    creativeIds: uuid("creative_ids").array().$type<CreativeId[]>().notNull().default(sql`'{}'`),
    /** The preview where only one creative is shown; for old campaigns a URL entered by hand. */
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
 * A campaign with its working copy, which the wizard saves. Publishers decide on versions, which are frozen copies.
 * `status` is the advertiser's view, derived by `campaignStatusOf` whenever something it depends on changes.
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
    /** Set by the advertiser alone, so it is not part of what publishers approve. */
    pacing: text("pacing").$type<Pacing>().notNull().default("even"),
    /** The audiences of the working copy; those of a sent version are rows with foreign keys. */
    audienceIds: uuid("audience_ids").array().$type<AudienceId[]>().notNull().default(sql`'{}'`),
    /** The newest sent version; 0 before the first launch. */
    version: integer("version").notNull().default(0),
    /** Whether the working copy differs from the newest sent version. */
    hasUnsentChanges: boolean("has_unsent_changes").notNull().default(false),
    launchedAt: instant("launched_at"),
    pausedAt: instant("paused_at"),
    completedAt: instant("completed_at"),
    /** The last day on which an approved version may run; the campaign is completed on the next day. */
    runsUntil: date("runs_until", { mode: "string" }).$type<CalendarDate>(),
    managedByPublisherId: uuid("managed_by_publisher_id")
      .$type<AccountId>()
      .references(() => accounts.id),
    /** When the advertiser archived it: a fact beside the status, and only about the advertiser's lists. */
    archivedAt: instant("archived_at"),
    /** The number of its line items whose newest version was rejected (by trigger, docs/decisions/0119). */
    rejectedLineItems: integer("rejected_line_items").notNull().default(0),
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
    check("campaigns_archived_not_running", sql`${table.archivedAt} is null or ${table.status} <> 'active'`),
    index("campaigns_advertiser").on(table.advertiserId, table.id),
    index("campaigns_archived").on(table.advertiserId, table.id).where(sql`${table.archivedAt} is not null`),
    index("campaigns_rejected")
      .on(table.advertiserId, table.id)
      .where(sql`${table.rejectedLineItems} > 0 and ${table.status} <> 'completed'`),
    // For deletions of products, which leave the working copies of campaigns that are not over.
    index("campaigns_with_products")
      .on(table.advertiserId, table.id)
      .where(sql`${table.productIds} <> '{}' and ${table.status} <> 'completed'`),
    index("campaigns_by_name").on(table.advertiserId, table.name, table.id),
    // For the first steps: whether a draft was sent before or has an audience, without reading an account's drafts.
    index("campaigns_begun_drafts")
      .on(table.advertiserId, table.version)
      .where(sql`${table.status} = 'draft' and (${table.version} > 0 or ${table.audienceIds} <> '{}')`),
    index("campaigns_name_prefix").on(table.advertiserId, searchKey(table.name), table.id),
    index("campaigns_by_budget").on(table.advertiserId, sql`coalesce(${table.totalBudgetCents}, 0)`, table.id),
    index("campaigns_by_impressions").on(table.advertiserId, table.impressions, table.id),
    index("campaigns_advertiser_status").on(table.advertiserId, table.status, table.id),
    // For deletions of creatives, which leave the working copies of campaigns that are not over.
    index("campaigns_with_creatives")
      .using("gin", table.creativeIds)
      .where(sql`${table.creativeIds} <> '{}' and ${table.status} <> 'completed'`),
    index("campaigns_running_end").on(table.runsUntil).where(sql`${table.status} in ('active', 'paused')`),
  ],
);

/**
 * The browser sessions that save a step while its fields are typed in (docs/decisions/0063). The row with `before` is
 * the campaign's open edit: what its fields were before, until the history gets one entry for all of it. The other rows
 * remember for a day how far their session had saved, so that a save that arrives late does not undo a later one.
 */
export const campaignEdits = pgTable(
  "campaign_edits",
  {
    campaignId: uuid("campaign_id")
      .$type<CampaignId>()
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    sessionId: uuid("session_id").notNull(),
    /** Counts the changes in the form; grows within a session. */
    revision: integer("revision").notNull(),
    step: smallint("step").$type<CampaignStep>().notNull(),
    userId: uuid("user_id").$type<UserId>(),
    entrypoint: text("entrypoint").$type<Entrypoint>().notNull(),
    before: jsonb("before").$type<CampaignValues>(),
    savedAt: instant("saved_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.sessionId] }),
    oneOf("campaign_edits_entrypoint", table.entrypoint, entrypoints),
    check("campaign_edits_step", sql`${table.step} between 1 and 5 and ${table.revision} >= 0`),
    uniqueIndex("campaign_edits_open").on(table.campaignId).where(sql`${table.before} is not null`),
    index("campaign_edits_saved_at").on(table.savedAt),
  ],
);

/** A version that was sent to publishers, numbered from 1. Never changed. */
export const campaignVersions = pgTable(
  "campaign_versions",
  {
    campaignId: uuid("campaign_id")
      .$type<CampaignId>()
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    ...contentColumns(),
    /**
     * The most frequent category of its products when it was sent, the first by name if there are several; null without
     * products.
     */
    productCategory: text("product_category"),
    sentAt: instant("sent_at").notNull(),
    sentBy: uuid("sent_by").$type<UserId>(),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.number] }),
    ...contentChecks("campaign_versions", table),
    // For the job that announces starts.
    index("campaign_versions_start").on(table.startDate),
    check(
      "campaign_versions_complete",
      // `is true`, because a CHECK accepts null.
      sql`(${table.objective} is not null and ${table.adFormat} is not null and ${table.totalBudgetCents} > 0 and ${table.dailyBudgetCents} between 1 and ${table.totalBudgetCents} and ${table.startDate} <= ${table.endDate} and cardinality(${table.channels}) > 0) is true`,
    ),
  ],
);

/**
 * A publisher's part of a campaign: its own decision, pause, commission and delivery. `status` (of the version approved
 * last) is computed by the database from the row's other columns.
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
    /**
     * Copies of the campaign's columns, so that a publisher's lists read one table. Updated by the verbs that change
     * them.
     */
    campaignName: text("campaign_name").notNull(),
    advertiserName: text("advertiser_name").notNull(),
    /** The newest version that this publisher was sent, and its decision. */
    sentVersion: integer("sent_version").notNull(),
    approvalStatus: text("approval_status").$type<ApprovalStatus>().notNull().default("pending"),
    /** The version that may run; null until the first approval. */
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
    /** The version of which the publisher needs no reminder any more: it was reminded, or its flight was over. */
    remindedVersion: integer("reminded_version"),
    /** When `status` or `approvedVersion` changed last, by the verb's clock: what begins or ends a run (by trigger). */
    statusChangedAt: instant("status_changed_at").notNull().defaultNow(),
    /** When the publisher archived it in its own lists; the advertiser's archiving is the campaign's. */
    archivedAt: instant("archived_at"),
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
    check(
      "line_items_archived_not_running",
      sql`${table.archivedAt} is null or (${table.status} <> 'active' and ${table.approvalStatus} <> 'pending')`,
    ),
    check("line_items_version_order", sql`${table.approvedVersion} <= ${table.sentVersion}`),
    index("line_items_publisher").on(table.publisherId, table.id),
    index("line_items_name_prefix").on(table.publisherId, searchKey(table.campaignName), table.id),
    index("line_items_publisher_approval").on(table.publisherId, table.approvalStatus, table.id),
    index("line_items_publisher_status").on(table.publisherId, table.status, table.id),
    index("line_items_unreminded")
      .on(table.sentAt)
      .where(
        sql`${table.approvalStatus} = 'pending' and ${table.withdrawnAt} is null and ${table.completedAt} is null and ${table.remindedVersion} is distinct from ${table.sentVersion}`,
      ),
    index("line_items_publisher_archived").on(table.publisherId, table.id).where(sql`${table.archivedAt} is not null`),
    index("line_items_publisher_managed").on(table.publisherId, table.id).where(sql`${table.managedByRetailer}`),
  ],
);

/**
 * The audiences of a version, with their owner: the composite foreign keys reject an audience of another publisher. The
 * CPM is null until that publisher approves the version, and is then frozen.
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
    index("version_audiences_of_audience").on(table.audienceId, table.campaignId),
  ],
);

/** A publisher's decision on a version. Never changed; at most one per version of a line item. */
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
    /** From the session or the API key, never from the request body. */
    decidedByUserId: uuid("decided_by_user_id").$type<UserId>(),
    decidedAt: instant("decided_at").notNull(),
  },
  (table) => [
    oneOf("decisions_action", table.action, ["approve", "reject"]),
    uniqueIndex("decisions_line_item_version").on(table.lineItemId, table.version),
  ],
);

/** The number of a publisher's line items by status, with their sums, for tabs and tiles (maintained by trigger). */
export const lineItemCounts = pgTable(
  "line_item_counts",
  {
    publisherId: uuid("publisher_id").$type<AccountId>().notNull(),
    approvalStatus: text("approval_status").$type<ApprovalStatus>().notNull(),
    status: text("status").$type<LineItemStatus>().notNull(),
    managedByRetailer: boolean("managed_by_retailer").notNull(),
    archived: boolean("archived").notNull().default(false),
    lineItems: bigint("line_items", { mode: "number" }).notNull(),
    impressions: bigint("impressions", { mode: "number" }).notNull(),
    commissionCents: cents("commission_cents").notNull(),
    /**
     * The sum of the line items' CTR in millionths of a hundredth of a percent (clicks × 1e8 / impressions), for the
     * mean.
     */
    ctrSum: bigint("ctr_sum", { mode: "bigint" }).notNull(),
  },
  (table) => [
    primaryKey({
      name: "line_item_counts_pk",
      columns: [table.publisherId, table.approvalStatus, table.status, table.managedByRetailer, table.archived],
    }),
  ],
);

/** The same for an advertiser's campaigns, by status and archiving. */
export const campaignCounts = pgTable(
  "campaign_counts",
  {
    advertiserId: uuid("advertiser_id").$type<AccountId>().notNull(),
    status: text("status").$type<CampaignStatus>().notNull(),
    archived: boolean("archived").notNull().default(false),
    campaigns: bigint("campaigns", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.advertiserId, table.status, table.archived] })],
);

/**
 * The number of line items that use an audience: in the version that its publisher approved, or in the one that awaits
 * its decision (by trigger, docs/decisions/0113).
 */
export const audienceUses = pgTable("audience_uses", {
  audienceId: uuid("audience_id").$type<AudienceId>().primaryKey(),
  lineItems: bigint("line_items", { mode: "number" }).notNull(),
});

/**
 * The products that campaigns show and will show: of each campaign that is pending, active or paused, those of the
 * versions that publishers approved or that await their decision (by trigger, docs/decisions/0122).
 */
export const productUses = pgTable(
  "product_uses",
  {
    advertiserId: uuid("advertiser_id").$type<AccountId>().notNull(),
    productId: uuid("product_id").$type<ProductId>().notNull(),
    campaignId: uuid("campaign_id").$type<CampaignId>().notNull(),
  },
  (table) => [
    primaryKey({ name: "product_uses_pk", columns: [table.advertiserId, table.productId, table.campaignId] }),
    index("product_uses_campaign").on(table.campaignId),
  ],
);

/**
 * The creatives that campaigns show and will show, as `product_uses` has the products (by trigger,
 * docs/decisions/0122).
 */
export const creativeUses = pgTable(
  "creative_uses",
  {
    creativeId: uuid("creative_id").$type<CreativeId>().notNull(),
    campaignId: uuid("campaign_id").$type<CampaignId>().notNull(),
  },
  (table) => [
    primaryKey({ name: "creative_uses_pk", columns: [table.creativeId, table.campaignId] }),
    index("creative_uses_campaign").on(table.campaignId),
  ],
);
