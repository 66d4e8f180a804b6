import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { payouts } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import { type PayoutId, parseId } from "../../../ids.ts";

/**
 * There is news of a payout: it is asked for with the next turn of the job, one that arrived too. `account` is that of Stripe's
 * that says so, where it is no news of our own account: only one's own payouts.
 */
export async function wakePayout(
  ctx: Ctx<JobActor>,
  { payoutId, account }: { payoutId: string; account: string | undefined },
): Promise<void> {
  const id = parseId<PayoutId>(payoutId);
  if (!id) return;
  const own: SQL | undefined = account ? sql`starts_with(${payouts.token}, ${`${account}/`})` : undefined;
  const goesOn = or(...(["pending", "in_transit", "paid"] as const).map((status) => eq(payouts.status, status)));
  await ctx.db
    .update(payouts)
    .set({ dueAt: ctx.clock() })
    .where(and(eq(payouts.id, id), eq(payouts.provider, "stripe"), goesOn, own));
}
