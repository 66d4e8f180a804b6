import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { nettedPlans, revenueShares } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import { releasedThrough } from "./payout.ts";

/** The publisher's revenue shares that are in no payout. */
export function freeShares(publisherId: AccountId): SQL | undefined {
  return and(eq(revenueShares.publisherId, publisherId), isNull(revenueShares.payoutId));
}

/** Those of them that are held no longer on that day (UTC). What was taken back counts at once. */
export function releasedBy(day: CalendarDate): SQL {
  const released = or(lte(revenueShares.settledThrough, releasedThrough(day)), sql`${revenueShares.earningsCents} < 0`);
  return released ?? sql`false`;
}

/** The plans that were paid from its earnings and that no payout is less by yet. */
export function freeNettedPlans(publisherId: AccountId): SQL | undefined {
  return and(eq(nettedPlans.publisherId, publisherId), isNull(nettedPlans.payoutId));
}

/** What they cost, in cents. */
export async function sumNettedPlans(ctx: Ctx, publisherId: AccountId): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${nettedPlans.amountCents}), 0)::text`) })
    .from(nettedPlans)
    .where(freeNettedPlans(publisherId));
  return toCents(Number(row?.cents ?? 0));
}

/** What could be paid out on a day, in cents: negative when more was taken back than earned since. */
export async function sumReleased(
  ctx: Ctx,
  { publisherId, day }: { publisherId: AccountId; day: CalendarDate },
): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${revenueShares.earningsCents}), 0)::text`) })
    .from(revenueShares)
    .where(and(freeShares(publisherId), releasedBy(day)));
  return toCents(Number(row?.cents ?? 0) - (await sumNettedPlans(ctx, publisherId)));
}
