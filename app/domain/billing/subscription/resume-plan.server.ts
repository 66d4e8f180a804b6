import { eq } from "drizzle-orm";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { subscriptions } from "#db/schema/index.ts";
import { findSubscriptionRow } from "../find-subscription.server.ts";

/**
 * Resumes the plan of a suspended account that is approved again. The next period starts now if the last one ended
 * before, so that nobody pays for the days of a suspension. A plan that was past due is retried now and has a week
 * again, because nobody could pay for it meanwhile. Call it within the caller's transaction, with the account locked.
 */
export async function resumePlan(ctx: Ctx<OperatorActor>, { accountId }: { accountId: AccountId }): Promise<void> {
  const subscription = await findSubscriptionRow(ctx, accountId);
  const now = ctx.clock();
  if (!subscription || subscription.cancelAtPeriodEnd) return;
  const changes = {
    ...(subscription.periodEndsAt < now && { anchorAt: now, periodEndsAt: now, dueAt: now }),
    ...(subscription.status === "past_due" && { pastDueSince: now, dueAt: now }),
  };
  if (!changes.dueAt) return;
  await ctx.db.update(subscriptions).set(changes).where(eq(subscriptions.id, subscription.id));
}
