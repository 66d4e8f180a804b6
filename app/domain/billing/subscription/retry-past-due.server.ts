import { and, eq, sql } from "drizzle-orm";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { subscriptions } from "#db/schema/index.ts";

/**
 * Makes a past-due plan due at once, because it can be paid in another way; a canceled one is not charged
 * automatically. Returns false when no plan is past due.
 */
export async function retryPastDue(ctx: Ctx<TenantActor>): Promise<boolean> {
  const now = ctx.clock().toISOString();
  const overdue = and(eq(subscriptions.accountId, ctx.actor.accountId), eq(subscriptions.status, "past_due"));
  const rows = await ctx.db
    .update(subscriptions)
    .set({
      dueAt: sql`case when ${subscriptions.cancelAtPeriodEnd} then ${subscriptions.dueAt} else ${now}::timestamptz end`,
    })
    .where(overdue)
    .returning({ id: subscriptions.id });
  return rows.length > 0;
}
