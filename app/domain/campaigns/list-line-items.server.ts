import { and, asc, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, sqlValue } from "#db/query-rows.server.ts";
import {
  audiences,
  campaigns,
  campaignVersions,
  lineItemCounts,
  lineItems,
  versionAudiences,
} from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { type Cents, centsOfMicros, toCents } from "../money.ts";
import { limitOf, type PageRequest, type Position, pageOf, readCursor } from "../page.ts";
import { percentOf } from "../rate.ts";
import { likePattern } from "../search.ts";
import { centsOrNull } from "./campaign-rows.server.ts";
import { commissionEarned, ctrPercent } from "./metrics.ts";

/** Campaign Approval's tabs. */
export const approvalFilters = ["pending", "approved", "rejected", "all"] as const;
type ApprovalFilter = (typeof approvalFilters)[number];

/** Campaign Management's tabs. */
export const managementFilters = ["all", "active", "managed", "pending"] as const;
type ManagementFilter = (typeof managementFilters)[number];

type ListFilter = { approval?: ApprovalFilter; filter?: ManagementFilter };

/** A publisher's campaigns as it sees them: through its line items, newest first, in the version it was sent last. */
export async function listLineItems(ctx: Ctx<PublisherActor>, input: PageRequest & ListFilter & { q?: string }) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const { approval, filter, q } = input;
  const list = preparedFor(ctx.db, { approval, filter, searched: Boolean(q), direction: position?.direction });
  const rows = await list.execute({
    publisherId: ctx.actor.accountId,
    pattern: likePattern(q ?? ""),
    positionId: position?.id,
    limit: limit + 1,
  });
  const page = pageOf(rows, { limit, position, place: (row) => ({ value: null, id: row.lineItem.id }) });
  return { ...page, rows: page.rows.map(toPublisherCampaign) };
}

/** What makes one list's statement differ from another's. */
type ListShape = ListFilter & { searched: boolean; direction: Position["direction"] | undefined };

/** The statement is large and its text takes drizzle as long as its rows: it is made once for each shape and pool. */
const prepared = new WeakMap<Database, Map<string, ReturnType<typeof prepare>>>();

function preparedFor(db: Database, shape: ListShape) {
  const shapes = prepared.get(db) ?? new Map<string, ReturnType<typeof prepare>>();
  prepared.set(db, shapes);
  const key = [shape.approval, shape.filter, shape.searched, shape.direction].join();
  const made = shapes.get(key) ?? prepare(db, shape);
  shapes.set(key, made);
  return made;
}

function prepare(db: Database, { searched, direction, ...filter }: ListShape) {
  const down = direction !== "before";
  return selectPublisherCampaigns({ db })
    .where(
      and(
        eq(lineItems.publisherId, sql.placeholder("publisherId")),
        whereOf(filter),
        searched ? ilike(lineItems.campaignName, sql.placeholder("pattern")) : undefined,
        direction && sql`${lineItems.id} ${sql.raw(down ? "<" : ">")} ${sql.placeholder("positionId")}::uuid`,
      ),
    )
    .orderBy(down ? desc(lineItems.id) : asc(lineItems.id))
    .limit(sql.placeholder("limit"))
    .prepare("list_line_items");
}

function whereOf(input: ListFilter): SQL | undefined {
  return and(
    input.approval && input.approval !== "all" ? eq(lineItems.approvalStatus, input.approval) : undefined,
    input.filter === "active" ? eq(lineItems.status, "active") : undefined,
    input.filter === "managed" ? eq(lineItems.managedByRetailer, true) : undefined,
    input.filter === "pending" ? eq(lineItems.approvalStatus, "pending") : undefined,
  );
}

const listedAudience = z.object({
  id: columnValue(audiences.id),
  name: z.string(),
  segment: z.string(),
  size: z.number(),
  cpm_cents: z.number().nullable(),
});

/** The select behind every view of a publisher on a campaign; the caller adds its WHERE with the publisher in it. */
export function selectPublisherCampaigns({ db }: { db: Database }) {
  return db
    .select({
      lineItem: lineItems,
      version: campaignVersions,
      // The campaign's own, in no version: it changes at once.
      pacing: sqlValue(
        columnValue(campaigns.pacing),
        sql`(select pacing from ${campaigns} where ${campaigns.id} = ${lineItems.campaignId})`,
      ),
      // Only the publisher's own audiences: those of others are none of its business.
      audiences: sqlValue(
        z.array(listedAudience),
        sql`(
        select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'segment', a.segment, 'size', a.size,
          'cpm_cents', coalesce(chosen.cpm_cents, a.cpm_cents)) order by a.name, a.id), '[]')
        from ${versionAudiences} chosen join ${audiences} a on a.id = chosen.audience_id
        where chosen.campaign_id = ${lineItems.campaignId} and chosen.version = ${lineItems.sentVersion}
          and chosen.publisher_id = ${lineItems.publisherId})`,
      ),
    })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, lineItems.sentVersion)),
    )
    .$dynamic();
}

type PublisherCampaignRow = Awaited<ReturnType<typeof selectPublisherCampaigns>>[number];

/** A campaign as shown to a publisher. Amounts in cents, rates and CTR in percent; the counters are its line item's. */
export type PublisherCampaign = ReturnType<typeof toPublisherCampaign>;

export function toPublisherCampaign({ lineItem, version, pacing, audiences: chosen }: PublisherCampaignRow) {
  return {
    id: lineItem.campaignId,
    lineItemId: lineItem.id,
    name: lineItem.campaignName,
    advertiserName: lineItem.advertiserName,
    approvalStatus: lineItem.approvalStatus,
    status: lineItem.status,
    version: lineItem.sentVersion,
    approvedVersion: lineItem.approvedVersion,
    notes: lineItem.notes,
    sentAt: lineItem.sentAt,
    decidedAt: lineItem.decidedAt,
    objective: version.objective,
    adFormat: version.adFormat,
    channelType: version.channelType,
    channels: version.channels,
    pacing,
    totalBudgetCents: centsOrNull(version.totalBudgetCents),
    dailyBudgetCents: centsOrNull(version.dailyBudgetCents),
    spentCents: centsOfMicros(lineItem.spendMicros),
    startDate: version.startDate,
    endDate: version.endDate,
    audiences: chosen.map(({ cpm_cents, ...audience }) => ({ ...audience, cpmCents: centsOrNull(cpm_cents) })),
    geolocations: version.geolocations,
    frequencyCapImpressions: version.frequencyCapImpressions,
    frequencyCapPeriod: version.frequencyCapPeriod,
    landingUrl: version.landingUrl,
    creativeIds: version.creativeIds,
    creativePreviewUrl: version.creativePreviewUrl,
    managedByRetailer: lineItem.managedByRetailer,
    pausedByPublisher: lineItem.publisherPausedAt !== null,
    pausedByAdvertiser: lineItem.advertiserPausedAt !== null,
    commissionRate: percentOf(lineItem.commissionRateBps),
    commissionRateBps: lineItem.commissionRateBps,
    commissionEarnedCents: commissionEarned(lineItem.spendMicros, lineItem.commissionRateBps),
    impressions: lineItem.impressions,
    clicks: lineItem.clicks,
    conversions: lineItem.conversions,
    ctr: ctrPercent(lineItem),
  };
}

/** The counts of both screens' tabs and the four summary tiles; `averageCtr` is the mean of the campaigns' CTR, percent. */
export type LineItemSummary = {
  approval: Record<ApprovalFilter, number>;
  management: Record<ManagementFilter, number>;
  impressions: number;
  commissionCents: Cents;
  averageCtr: number;
};

export async function countLineItems(ctx: Ctx<PublisherActor>): Promise<LineItemSummary> {
  const rows = await ctx.db.select().from(lineItemCounts).where(eq(lineItemCounts.publisherId, ctx.actor.accountId));
  const count = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((sum, row) => sum + row.lineItems, 0);
  const all = count(() => true);
  const pending = count((row) => row.approvalStatus === "pending");
  const ctrUnits = rows.reduce((sum, row) => sum + row.ctrSum, 0n);
  return {
    approval: {
      pending,
      approved: count((row) => row.approvalStatus === "approved"),
      rejected: count((row) => row.approvalStatus === "rejected"),
      all,
    },
    management: {
      all,
      active: count((row) => row.status === "active"),
      managed: count((row) => row.managedByRetailer),
      pending,
    },
    impressions: rows.reduce((sum, row) => sum + row.impressions, 0),
    commissionCents: toCents(rows.reduce((sum, row) => sum + row.commissionCents, 0)),
    averageCtr: all === 0 ? 0 : Number(ctrUnits) / all / 1_000_000,
  };
}
