import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { type PayoutId, parseId } from "#app/domain/ids.ts";
import { payouts } from "#db/schema/index.ts";

/**
 * Makes a payout due at once, also one that has arrived, because the provider reported a change. `account` is the
 * connected account that the event came from: only that account's payouts are rescheduled. Undefined for our own
 * account.
 */
export async function reschedulePayout(
  ctx: Ctx<JobActor>,
  { payoutId, account }: { payoutId: string; account: string | undefined },
): Promise<void> {
  const id = parseId<PayoutId>(payoutId);
  if (!id) return;
  const isOfAccount: SQL | undefined = account ? sql`starts_with(${payouts.token}, ${`${account}/`})` : undefined;
  const mayChange = or(...(["pending", "in_transit", "paid"] as const).map((status) => eq(payouts.status, status)));
  await ctx.db
    .update(payouts)
    .set({ dueAt: ctx.clock() })
    .where(and(eq(payouts.id, id), eq(payouts.provider, "stripe"), mayChange, isOfAccount));
}
