import { and, eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";

/** Has the job try a plan that is past due at once, since there is something else to pay it with. False when none is. */
export async function retryOverdue(ctx: Ctx<TenantActor>): Promise<boolean> {
  const overdue = and(eq(subscriptions.accountId, ctx.actor.accountId), eq(subscriptions.status, "past_due"));
  const rows = await ctx.db
    .update(subscriptions)
    .set({ dueAt: ctx.clock() })
    .where(overdue)
    .returning({ id: subscriptions.id });
  return rows.length > 0;
}
