import { and, eq, sql } from "drizzle-orm";
import { lineItemSettlements, lineItems, revenueShares } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { type Cents, toCents } from "../money.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";

/** What each settlement of the publisher's line items brought it, newest first: spend = earnings + fee, in cents. */
export async function listRevenueShares(ctx: Ctx<PublisherActor>, input: PageRequest) {
  const newest = newestFirst(input, revenueShares.id);
  const rows = await ctx.db
    .select({
      id: revenueShares.id,
      campaignName: lineItems.campaignName,
      spendCents: revenueShares.spendCents,
      earningsCents: revenueShares.earningsCents,
      feeCents: revenueShares.feeCents,
      status: revenueShares.status,
      createdAt: revenueShares.createdAt,
    })
    .from(revenueShares)
    .innerJoin(lineItems, eq(lineItems.id, revenueShares.lineItemId))
    .where(and(eq(revenueShares.publisherId, ctx.actor.accountId), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ spendCents, earningsCents, feeCents, ...row }) => ({
      ...row,
      spend: toCents(spendCents),
      earnings: toCents(earningsCents),
      fee: toCents(feeCents),
    })),
  };
}

/** All that the publisher's revenue shares brought it, in cents. */
export async function sumEarnings(ctx: Ctx<PublisherActor>): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sql<string>`coalesce(sum(${lineItemSettlements.earningsCents}), 0)::text` })
    .from(lineItemSettlements)
    .innerJoin(lineItems, eq(lineItems.id, lineItemSettlements.lineItemId))
    .where(eq(lineItems.publisherId, ctx.actor.accountId));
  return toCents(Number(row?.cents ?? 0));
}
