import { and, eq } from "drizzle-orm";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { subscriptions } from "#db/schema/index.ts";

/**
 * Makes a past-due plan due at once, because it has a new payment method. Returns false when no plan is past due.
 */
export async function retryPastDue(ctx: Ctx<TenantActor>): Promise<boolean> {
  const overdue = and(eq(subscriptions.accountId, ctx.actor.accountId), eq(subscriptions.status, "past_due"));
  const rows = await ctx.db
    .update(subscriptions)
    .set({ dueAt: ctx.clock() })
    .where(overdue)
    .returning({ id: subscriptions.id });
  return rows.length > 0;
}
