import { and, eq, ilike, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { pgArray } from "#db/query-rows.server.ts";
import { campaignCounts, campaigns } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { microsToCents } from "../money.ts";
import type { Page, PageRequest } from "../page.ts";
import { preparedQuery } from "../prepared-query.server.ts";
import { likePattern } from "../search.ts";
import { preparedPages, type SortOrder } from "../sorted-page.server.ts";
import type { CampaignStatus } from "./campaign.ts";
import { centsOrNull } from "./campaign-rows.server.ts";
import { ctrPercent, roas } from "./metrics.ts";
import { campaignRejection } from "./status/campaign-rejection.ts";
import { readStatusFacts } from "./status/read-status-facts.server.ts";
import { archivedReason, campaignStatusReason, type StatusFacts } from "./status/status-reason.ts";

export const campaignSorts = [
  "newest",
  "name",
  "budget",
  "spent",
  "impressions",
  "clicks",
  "ctr",
  "conversions",
  "roas",
  "start",
] as const;
export type CampaignSort = (typeof campaignSorts)[number];

/**
 * A stored status; campaigns of which a publisher rejected the newest version, whole, in part or as a change; or drafts
 * that were never sent.
 */
export type CampaignFilter = CampaignStatus | "rejected" | "unsent";

/** Archived campaigns are in no list but their own. */
function whereMatches({ status, archived }: ListFilter) {
  return and(archived ? isNotNull(campaigns.archivedAt) : isNull(campaigns.archivedAt), whereStatus(status));
}

function whereStatus(filter: CampaignFilter | undefined): SQL | undefined {
  // As the index has it: a parameter would not match its condition.
  if (filter === "rejected") return sql`${campaigns.rejectedLineItems} > 0 and ${campaigns.status} <> 'completed'`;
  if (filter === "unsent") return and(eq(campaigns.status, "draft"), eq(campaigns.version, 0));
  return filter && eq(campaigns.status, filter);
}

/**
 * Name, budget and impressions have an index that starts with the advertiser. The others sort the advertiser's rows: a
 * few milliseconds for 10,000 of them. Ratios are whole numbers; a campaign without one is last.
 */
const orders: Record<CampaignSort, SortOrder | undefined> = {
  newest: undefined,
  name: { by: sql`${campaigns.name}`, type: "text", descending: false },
  budget: { by: sql`coalesce(${campaigns.totalBudgetCents}, 0)`, type: "bigint", descending: true },
  spent: { by: sql`${campaigns.spendMicros}`, type: "bigint", descending: true },
  impressions: { by: sql`${campaigns.impressions}`, type: "bigint", descending: true },
  clicks: { by: sql`${campaigns.clicks}`, type: "bigint", descending: true },
  ctr: {
    by: sql`coalesce(${campaigns.clicks} * 1000000 / nullif(${campaigns.impressions}, 0), -1)`,
    type: "bigint",
    descending: true,
  },
  conversions: { by: sql`${campaigns.conversions}`, type: "bigint", descending: true },
  roas: {
    by: sql`coalesce(${campaigns.revenueMicros} * 1000 / nullif(${campaigns.spendMicros}, 0), -1)`,
    type: "bigint",
    descending: true,
  },
  start: {
    by: sql`coalesce(${campaigns.startDate} - date '2000-01-01', -1000000)::bigint`,
    type: "bigint",
    descending: true,
  },
};

/**
 * Lists an advertiser's campaigns, newest first by default: those that are not archived, or with `archived` those that
 * are. `q` searches names; `ids` selects rows, archived or not.
 */
export async function listCampaigns(
  ctx: Ctx<AdvertiserActor>,
  input: PageRequest & {
    q?: string;
    status?: CampaignFilter;
    archived?: boolean;
    sort?: CampaignSort;
    ids?: CampaignId[];
  },
) {
  const { status, archived, q, sort = "newest", ids, limit, cursor } = input;
  const page = await readPage(ctx.db, {
    limit,
    cursor,
    shape: { status, archived, sort, searched: Boolean(q), selected: Boolean(ids) },
    values: {
      advertiserId: ctx.actor.accountId,
      pattern: likePattern(q ?? ""),
      ids: pgArray(ids ?? []),
    },
  });
  const facts = await readStatusFacts(
    ctx,
    page.rows.map(({ id }) => id),
  );
  const factsOf = (id: CampaignId) => facts.filter(({ campaignId }) => campaignId === id);
  return {
    ...page,
    rows: page.rows.map((row) => toListedCampaign(row, factsOf(row.id))),
  } satisfies Page<ListedCampaign>;
}

const listColumns = {
  id: campaigns.id,
  name: campaigns.name,
  status: campaigns.status,
  objective: campaigns.objective,
  channels: campaigns.channels,
  audienceIds: campaigns.audienceIds,
  totalBudgetCents: campaigns.totalBudgetCents,
  dailyBudgetCents: campaigns.dailyBudgetCents,
  startDate: campaigns.startDate,
  endDate: campaigns.endDate,
  version: campaigns.version,
  hasUnsentChanges: campaigns.hasUnsentChanges,
  managedByPublisherId: campaigns.managedByPublisherId,
  impressions: campaigns.impressions,
  clicks: campaigns.clicks,
  conversions: campaigns.conversions,
  spendMicros: campaigns.spendMicros,
  revenueMicros: campaigns.revenueMicros,
  createdAt: campaigns.createdAt,
  archivedAt: campaigns.archivedAt,
};

type ListFilter = { status?: CampaignFilter; archived?: boolean };

const readPage = preparedPages({
  orderOf: ({ sort }: ListFilter & { sort: CampaignSort; searched: boolean; selected: boolean }) => orders[sort],
  id: campaigns.id,
  build: (db, { searched, selected, ...filter }, { where, orderBy, limit, sortValue }) =>
    db
      .select({ ...listColumns, sortValue })
      .from(campaigns)
      .where(
        and(
          eq(campaigns.advertiserId, sql.placeholder("advertiserId")),
          selected ? sql`${campaigns.id} = any(${sql.placeholder("ids")}::uuid[])` : whereMatches(filter),
          searched ? ilike(campaigns.name, sql.placeholder("pattern")) : undefined,
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit)
      .prepare("list_campaigns"),
  idOf: ({ id }) => id,
});

type ListRow = Pick<typeof campaigns.$inferSelect, keyof typeof listColumns>;

/** A row of the list: amounts in cents, CTR in percent, ROAS null without spend. */
export type ListedCampaign = ReturnType<typeof toListedCampaign>;

function toListedCampaign(row: ListRow, facts: readonly StatusFacts[]) {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    statusReason: archivedReason(row.archivedAt) ?? campaignStatusReason(row.status, facts),
    rejection: campaignRejection(row.status, facts),
    objective: row.objective,
    channels: row.channels,
    audienceIds: row.audienceIds,
    totalBudgetCents: centsOrNull(row.totalBudgetCents),
    dailyBudgetCents: centsOrNull(row.dailyBudgetCents),
    spentCents: microsToCents(row.spendMicros),
    startDate: row.startDate,
    endDate: row.endDate,
    version: row.version,
    hasUnsentChanges: row.hasUnsentChanges,
    managedByRetailer: row.managedByPublisherId !== null,
    impressions: row.impressions,
    clicks: row.clicks,
    conversions: row.conversions,
    ctr: ctrPercent(row),
    roas: roas(row),
    createdAt: row.createdAt,
    archivedAt: row.archivedAt,
  };
}

export type CampaignCounts = Record<CampaignStatus | "all" | "archived", number>;

/** Counts the advertiser's campaigns by status; archived ones are counted in `archived` alone. */
export async function countCampaigns(ctx: Ctx<AdvertiserActor>): Promise<CampaignCounts> {
  const rows = await countsFor(ctx.db).execute({ advertiserId: ctx.actor.accountId });
  const sum = (counted: typeof rows) => counted.reduce((total, row) => total + row.campaigns, 0);
  const listed = rows.filter(({ archived }) => !archived);
  const countOf = (status: CampaignStatus) => sum(listed.filter((row) => row.status === status));
  return {
    draft: countOf("draft"),
    pending: countOf("pending"),
    active: countOf("active"),
    paused: countOf("paused"),
    completed: countOf("completed"),
    all: sum(listed),
    archived: sum(rows.filter(({ archived }) => archived)),
  };
}

const countsFor = preparedQuery((db) =>
  db
    .select({ status: campaignCounts.status, archived: campaignCounts.archived, campaigns: campaignCounts.campaigns })
    .from(campaignCounts)
    .where(eq(campaignCounts.advertiserId, sql.placeholder("advertiserId")))
    .prepare("count_campaigns"),
);

/** Counts the campaigns that match a filter and a search. */
export async function countMatchingCampaigns(
  ctx: Ctx<AdvertiserActor>,
  input: ListFilter & { q?: string },
): Promise<number> {
  return ctx.db.$count(
    campaigns,
    and(
      eq(campaigns.advertiserId, ctx.actor.accountId),
      whereMatches(input),
      input.q ? ilike(campaigns.name, likePattern(input.q)) : undefined,
    ),
  );
}
