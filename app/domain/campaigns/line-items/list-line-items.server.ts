import { and, eq, ilike, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { PageRequest } from "#app/domain/page.ts";
import { likePattern } from "#app/domain/search.ts";
import { preparedPages, type SortOrder } from "#app/domain/sorted-page.server.ts";
import { campaignVersions, lineItems } from "#db/schema/index.ts";
import { selectPublisherCampaigns, toPublisherCampaigns } from "./publisher-campaigns.server.ts";

/** The tabs of the Campaign Approval page. */
export const approvalFilters = ["pending", "approved", "rejected", "all"] as const;
export type ApprovalFilter = (typeof approvalFilters)[number];

/** The tabs of the Campaign Management page. */
export const managementFilters = ["all", "active", "managed", "pending"] as const;
export type ManagementFilter = (typeof managementFilters)[number];

/** `archived`: the line items that the publisher archived, which are in no other list. */
type ListFilter = { approval?: ApprovalFilter; filter?: ManagementFilter; archived?: boolean };

export const lineItemSorts = [
  "newest",
  "name",
  "budget",
  "spent",
  "impressions",
  "ctr",
  "conversions",
  "commission",
] as const;
export type LineItemSort = (typeof lineItemSorts)[number];

/** Newest is the order of an index; the others sort the publisher's rows, and read the content of one page alone. */
const orders: Record<LineItemSort, SortOrder | undefined> = {
  newest: undefined,
  name: { by: sql`${lineItems.campaignName}`, type: "text", descending: false },
  budget: { by: sql`coalesce(${campaignVersions.totalBudgetCents}, 0)`, type: "bigint", descending: true },
  spent: { by: sql`${lineItems.spendMicros}`, type: "bigint", descending: true },
  impressions: { by: sql`${lineItems.impressions}`, type: "bigint", descending: true },
  ctr: {
    by: sql`coalesce(${lineItems.clicks} * 1000000 / nullif(${lineItems.impressions}, 0), -1)`,
    type: "bigint",
    descending: true,
  },
  conversions: { by: sql`${lineItems.conversions}`, type: "bigint", descending: true },
  commission: { by: sql`${lineItems.spendMicros} * ${lineItems.commissionRateBps}`, type: "bigint", descending: true },
};

/** Lists a publisher's line items with the content of the last version it was sent, newest first by default. */
export async function listLineItems(
  ctx: Ctx<PublisherActor>,
  input: PageRequest & ListFilter & { q?: string; sort?: LineItemSort },
) {
  const { approval, filter, archived, q, sort = "newest", limit, cursor } = input;
  const page = await readPage(ctx.db, {
    limit,
    cursor,
    shape: { approval, filter, archived, sort, searched: Boolean(q) },
    values: { publisherId: ctx.actor.accountId, pattern: likePattern(q ?? "") },
  });
  return { ...page, rows: await toPublisherCampaigns(ctx, page.rows) };
}

const readPage = preparedPages({
  orderOf: ({ sort }: ListFilter & { sort: LineItemSort; searched: boolean }) => orders[sort],
  id: lineItems.id,
  build: (db, { sort, searched, ...filter }, { where, orderBy, limit }) =>
    selectPublisherCampaigns({ db, order: orders[sort] })
      .where(
        and(
          eq(lineItems.publisherId, sql.placeholder("publisherId")),
          whereMatches(filter),
          searched ? ilike(lineItems.campaignName, sql.placeholder("pattern")) : undefined,
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit)
      .prepare("list_line_items"),
  idOf: ({ lineItem }) => lineItem.id,
});

function whereMatches(input: ListFilter): SQL | undefined {
  return and(
    input.archived ? isNotNull(lineItems.archivedAt) : isNull(lineItems.archivedAt),
    input.approval && input.approval !== "all" ? eq(lineItems.approvalStatus, input.approval) : undefined,
    input.filter === "active" ? eq(lineItems.status, "active") : undefined,
    input.filter === "managed" ? eq(lineItems.managedByRetailer, true) : undefined,
    input.filter === "pending" ? eq(lineItems.approvalStatus, "pending") : undefined,
  );
}
