import { and, asc, desc, eq, ilike, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import {
  type CursorPosition,
  clampPageLimit,
  decodeCursor,
  invalidCursor,
  type PageRequest,
  toPage,
} from "#app/domain/page.ts";
import { preparedQuery } from "#app/domain/prepared-query.server.ts";
import { likePattern } from "#app/domain/search.ts";
import { isBigint, type SortOrder } from "#app/domain/sorted-page.server.ts";
import type { Database } from "#db/client.server.ts";
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
  const limit = clampPageLimit(input);
  const position = input.cursor ? decodeCursor(input.cursor) : undefined;
  const { approval, filter, archived, q, sort = "newest" } = input;
  if (position && orders[sort]?.type === "bigint" && !isBigint(position.value)) throw invalidCursor();
  const list = preparedFor(ctx.db, {
    approval,
    filter,
    archived,
    sort,
    searched: Boolean(q),
    direction: position?.direction,
  });
  const rows = await list.execute({
    publisherId: ctx.actor.accountId,
    pattern: likePattern(q ?? ""),
    positionId: position?.id,
    positionValue: position?.value ?? "",
    limit: limit + 1,
  });
  const page = toPage(rows, { limit, position, cursorKey: (row) => ({ value: row.sortValue, id: row.lineItem.id }) });
  return { ...page, rows: await toPublisherCampaigns(ctx, page.rows) };
}

/** The parts of the input that change the text of the statement. */
type ListShape = ListFilter & {
  sort: LineItemSort;
  searched: boolean;
  direction: CursorPosition["direction"] | undefined;
};

/** One prepared list per shape. */
const lists = new Map<string, ReturnType<typeof preparedList>>();

function preparedFor(db: Database, shape: ListShape) {
  const key = [
    shape.approval,
    shape.filter,
    Boolean(shape.archived),
    shape.sort,
    shape.searched,
    shape.direction,
  ].join();
  const list = lists.get(key) ?? preparedList(shape);
  lists.set(key, list);
  return list(db);
}

function preparedList(shape: ListShape) {
  return preparedQuery((db) => prepare(db, shape));
}

function prepare(db: Database, { sort, searched, direction, ...filter }: ListShape) {
  const order = orders[sort];
  const down = (order?.descending ?? true) === (direction !== "before");
  const compare = sql.raw(down ? "<" : ">");
  const id = sql`${sql.placeholder("positionId")}::uuid`;
  const directed = down ? desc : asc;
  return selectPublisherCampaigns({ db, order })
    .where(
      and(
        eq(lineItems.publisherId, sql.placeholder("publisherId")),
        whereMatches(filter),
        searched ? ilike(lineItems.campaignName, sql.placeholder("pattern")) : undefined,
        direction &&
          (order
            ? sql`(${order.by}, ${lineItems.id}) ${compare} (${sql.placeholder("positionValue")}::${sql.raw(order.type)}, ${id})`
            : sql`${lineItems.id} ${compare} ${id}`),
      ),
    )
    .orderBy(...(order ? [directed(order.by)] : []), directed(lineItems.id))
    .limit(sql.placeholder("limit"))
    .prepare("list_line_items");
}

function whereMatches(input: ListFilter): SQL | undefined {
  return and(
    input.archived ? isNotNull(lineItems.archivedAt) : isNull(lineItems.archivedAt),
    input.approval && input.approval !== "all" ? eq(lineItems.approvalStatus, input.approval) : undefined,
    input.filter === "active" ? eq(lineItems.status, "active") : undefined,
    input.filter === "managed" ? eq(lineItems.managedByRetailer, true) : undefined,
    input.filter === "pending" ? eq(lineItems.approvalStatus, "pending") : undefined,
  );
}
