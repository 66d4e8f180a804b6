import { eq, getTableColumns, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { ctrPercent } from "#app/domain/campaigns/metrics.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { preparedQuery } from "#app/domain/prepared-query.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { accountDays, lineItemCounts } from "#db/schema/index.ts";
import type { ApprovalFilter, ManagementFilter } from "./list-line-items.server.ts";

/**
 * The counts of both pages' tabs, without archived line items, and the sums of the summary tiles, with them;
 * `averageCtr` is clicks per impression over all campaigns, in percent, so that each campaign weighs by its
 * impressions; null without any. `hasAny` is true with archived line items alone, too.
 */
export type LineItemSummary = {
  approval: Record<ApprovalFilter, number>;
  management: Record<ManagementFilter | "archived", number>;
  impressions: number;
  commissionCents: Cents;
  averageCtr: number | null;
  hasAny: boolean;
};

/** Counts and sums all line items of the publisher. */
export async function countLineItems(ctx: Ctx<PublisherActor>): Promise<LineItemSummary> {
  const rows = await countsFor(ctx.db).execute({ publisherId: ctx.actor.accountId });
  const { clicks = 0, shown = 0 } = rows[0] ?? {};
  const count = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter((row) => !row.archived && matches(row)).reduce((sum, row) => sum + row.lineItems, 0);
  const all = count(() => true);
  const pending = count((row) => row.approvalStatus === "pending");
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
      archived: rows.filter((row) => row.archived).reduce((sum, row) => sum + row.lineItems, 0),
    },
    impressions: rows.reduce((sum, row) => sum + row.impressions, 0),
    commissionCents: asCents(rows.reduce((sum, row) => sum + row.commissionCents, 0)),
    hasAny: rows.some((row) => row.lineItems > 0),
    averageCtr: shown > 0 ? ctrPercent({ clicks, impressions: shown }) : null,
  };
}

/**
 * Every page of line items runs this query. One statement, so that the rate and the impressions beside it are of one
 * moment.
 */
const countsFor = preparedQuery((db) => {
  const publisherId = sql.placeholder("publisherId");
  const sumOf = (column: AnyPgColumn) => sqlValue(z.coerce.number(), sql`coalesce(sum(${column}), 0)::text`);
  const delivered = db
    .select({ clicks: sumOf(accountDays.clicks).as("clicks"), shown: sumOf(accountDays.impressions).as("shown") })
    .from(accountDays)
    .where(eq(accountDays.accountId, publisherId))
    .as("delivered");
  return db
    .select({ ...getTableColumns(lineItemCounts), clicks: delivered.clicks, shown: delivered.shown })
    .from(lineItemCounts)
    .innerJoin(delivered, sql`true`)
    .where(eq(lineItemCounts.publisherId, publisherId))
    .prepare("count_line_items");
});
