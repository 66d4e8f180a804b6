import { and, asc, desc, eq, ilike, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { campaignCounts, campaigns } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { centsOfMicros } from "../money.ts";
import { limitOf, type Page, type PageRequest, pageOf, readCursor, unknownPage } from "../page.ts";
import { likePattern } from "../search.ts";
import type { CampaignStatus } from "./campaign.ts";
import { centsOrNull } from "./campaign-rows.server.ts";
import { ctrPercent, roas } from "./metrics.ts";

export const campaignSorts = ["newest", "name", "budget", "impressions"] as const;
export type CampaignSort = (typeof campaignSorts)[number];

/** Each sort has an index that begins with the advertiser. `cast` reads a cursor's value back. */
const orders: Record<CampaignSort, { by: SQL; cast: SQL; descending: boolean; numeric?: true } | undefined> = {
  newest: undefined,
  name: { by: sql`${campaigns.name}`, cast: sql`text`, descending: false },
  budget: { by: sql`coalesce(${campaigns.totalBudgetCents}, 0)`, cast: sql`bigint`, descending: true, numeric: true },
  impressions: { by: sql`${campaigns.impressions}`, cast: sql`bigint`, descending: true, numeric: true },
};

/** An advertiser's campaigns, newest first unless sorted otherwise; `q` searches names. Keyset pages: the last costs what the first does. */
export async function listCampaigns(
  ctx: Ctx<AdvertiserActor>,
  input: PageRequest & { q?: string; status?: CampaignStatus; sort?: CampaignSort },
) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const order = orders[input.sort ?? "newest"];
  if (position && order?.numeric && !/^-?\d{1,18}$/.test(position.value ?? "")) throw unknownPage();
  const descending = order?.descending ?? true;
  const forwards = position?.direction !== "before";
  const down = descending === forwards;
  const compare = sql.raw(down ? "<" : ">");
  const rows = await ctx.db
    .select({
      ...listColumns,
      sortValue: order ? sqlValue(z.string().nullable(), sql`${order.by}::text`) : sqlValue(z.null(), sql`null`),
    })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.advertiserId, ctx.actor.accountId),
        input.status && eq(campaigns.status, input.status),
        input.q ? ilike(campaigns.name, likePattern(input.q)) : undefined,
        position &&
          (order
            ? sql`(${order.by}, ${campaigns.id}) ${compare} (${position.value}::${order.cast}, ${position.id}::uuid)`
            : sql`${campaigns.id} ${compare} ${position.id}::uuid`),
      ),
    )
    .orderBy(...(order ? [down ? desc(order.by) : asc(order.by)] : []), down ? desc(campaigns.id) : asc(campaigns.id))
    .limit(limit + 1);
  const page = pageOf(rows, { limit, position, place: (row) => ({ value: row.sortValue, id: row.id }) });
  return { ...page, rows: page.rows.map(toListedCampaign) } satisfies Page<ListedCampaign>;
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
};

type ListRow = Pick<typeof campaigns.$inferSelect, keyof typeof listColumns>;

/** A row of the list: amounts in cents, CTR in percent, ROAS null without spend. */
export type ListedCampaign = ReturnType<typeof toListedCampaign>;

function toListedCampaign(row: ListRow) {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    objective: row.objective,
    channels: row.channels,
    audienceIds: row.audienceIds,
    totalBudgetCents: centsOrNull(row.totalBudgetCents),
    dailyBudgetCents: centsOrNull(row.dailyBudgetCents),
    spentCents: centsOfMicros(row.spendMicros),
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
  };
}

export type CampaignCounts = Record<CampaignStatus | "all", number>;

/** How many campaigns the advertiser has in each state. */
export async function countCampaigns(ctx: Ctx<AdvertiserActor>): Promise<CampaignCounts> {
  const rows = await ctx.db
    .select({ status: campaignCounts.status, campaigns: campaignCounts.campaigns })
    .from(campaignCounts)
    .where(eq(campaignCounts.advertiserId, ctx.actor.accountId));
  const of = (status: CampaignStatus) => rows.find((row) => row.status === status)?.campaigns ?? 0;
  return {
    draft: of("draft"),
    pending: of("pending"),
    active: of("active"),
    paused: of("paused"),
    completed: of("completed"),
    all: rows.reduce((sum, row) => sum + row.campaigns, 0),
  };
}

/** How many campaigns match a search. */
export async function countMatchingCampaigns(
  ctx: Ctx<AdvertiserActor>,
  input: { q: string; status?: CampaignStatus },
): Promise<number> {
  return ctx.db.$count(
    campaigns,
    and(
      eq(campaigns.advertiserId, ctx.actor.accountId),
      input.status && eq(campaigns.status, input.status),
      ilike(campaigns.name, likePattern(input.q)),
    ),
  );
}
