import { eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.server.ts";
import { refuseOpenChange, settleOpenChange } from "./end-open-change.server.ts";
import { endSubscription } from "./fail-plan-payment.server.ts";
import { lockPlan } from "./lock-plan.server.ts";

/**
 * Lets the plan end with the period that is paid for; until then choosing it again takes that back. One whose payment is open ends
 * at once. Done already: nothing changes. Throws `not_found` without a plan, `invalid_transition` while a payment has no end.
 */
export async function cancelSubscription(ctx: Ctx<PublisherActor>): Promise<{ endsAt: Date }> {
  await settleOpenChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const held = await lockPlan(tx, tx.actor.accountId);
    if (!held) throw notFound("Subscription");
    await refuseOpenChange(tx);
    const endsAt = held.periodEndsAt;
    if (held.status === "past_due") {
      await endSubscription(tx, { held });
      return { endsAt: tx.clock() };
    }
    if (held.cancelAtPeriodEnd) return { endsAt };
    const set = { cancelAtPeriodEnd: true, nextPlanType: null };
    await tx.db.update(subscriptions).set(set).where(eq(subscriptions.id, held.id));
    await recordAudit(tx, {
      action: "subscription.canceled",
      entity: "subscription",
      entityId: held.id,
      accountId: held.accountId,
      before: { cancel_at_period_end: false, next_plan_type: held.nextPlanType },
      after: { cancel_at_period_end: true, ends_at: endsAt.toISOString(), was: held.planType },
    });
    return { endsAt };
  });
}
