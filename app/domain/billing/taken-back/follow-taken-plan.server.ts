import { and, eq } from "drizzle-orm";
import { planChanges, subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { type PlanType, plans } from "../plan.ts";
import type { PlanChangeRow } from "../subscription/find-plan-change.server.ts";
import { nextRetry } from "../subscription/plan-change.ts";
import { tooSmall } from "../subscription/plan-quote.ts";
import { countPlanUse } from "../subscription/plan-use.server.ts";

/**
 * What becomes of a plan when a payment for the period that runs is gone, all of it, or came back. Without the payment that its period
 * began with it is past due, as after a renewal that was not paid; without that of an upgrade it is the plan that is still paid for. A
 * part that was given back changes nothing, and what is over is not asked for again. Within the caller's transaction, with the plan locked.
 */
export async function followTakenPlan(
  ctx: Ctx<JobActor>,
  { change, held }: { change: PlanChangeRow; held: SubscriptionRow | undefined },
): Promise<void> {
  const now = ctx.clock();
  if (!held || change.subscriptionId !== held.id || held.periodEndsAt <= now) return;
  if (change.periodStartedAt?.getTime() !== held.periodStartedAt.getTime()) return;
  const { isPaid, planType } = await readPaid(ctx, held);
  if (isPaid === (held.takenBackAt === null) && planType === held.planType) return;
  const { status, pastDueSince, dueAt } = isPaid
    ? { status: "active" as const, pastDueSince: null, dueAt: held.periodEndsAt }
    : { status: "past_due" as const, pastDueSince: held.pastDueSince ?? now, dueAt: nextRetry(now, now) ?? now };
  const next = held.nextPlanType;
  const smaller = next && plans[next].monthlyAmount < plans[planType].monthlyAmount ? next : null;
  const takenBackAt = isPaid ? null : (held.takenBackAt ?? now);
  await ctx.db
    .update(subscriptions)
    .set({ planType, status, pastDueSince, dueAt, takenBackAt, nextPlanType: smaller })
    .where(eq(subscriptions.id, held.id));
  await recordAudit(ctx, {
    action: actionOf(held, { isPaid, planType }),
    entity: "subscription",
    entityId: held.id,
    accountId: held.accountId,
    before: { plan_type: held.planType, status: held.status },
    after: { plan_type: planType, status },
  });
}

/** What happened to the plan itself: whether it got smaller goes before whether it is paid. */
function actionOf(held: SubscriptionRow, { isPaid, planType }: { isPaid: boolean; planType: PlanType }): string {
  if (!isPaid) return "subscription.unpaid_again";
  const isSmaller = plans[planType].monthlyAmount < plans[held.planType].monthlyAmount;
  return isSmaller ? "subscription.upgrade_reversed" : "subscription.paid_after_all";
}

/** Whether the period's own payment is there, and the largest plan that is paid for in it. What a seed began has none. */
async function readPaid(ctx: Ctx, held: SubscriptionRow): Promise<{ isPaid: boolean; planType: PlanType }> {
  const ofPeriod = and(
    eq(planChanges.subscriptionId, held.id),
    eq(planChanges.periodStartedAt, held.periodStartedAt),
    eq(planChanges.status, "succeeded"),
  );
  const all = (await ctx.db.select().from(planChanges).where(ofPeriod)).filter(({ amountCents }) => amountCents > 0);
  const isThere = ({ amountCents, takenBackCents }: PlanChangeRow) => takenBackCents < amountCents;
  const isPaid = all.every((one) => one.kind === "upgrade" || isThere(one));
  const price = ({ planType }: { planType: PlanType }) => plans[planType].monthlyAmount;
  const [largest] = all.filter(isThere).sort((one, other) => price(other) - price(one));
  // Unpaid, it stays what it is until it is paid again; and so it does where what runs has no room in a smaller one.
  const fits = isPaid && largest && !tooSmall(largest.planType, await countPlanUse(ctx, held.accountId));
  return { isPaid, planType: fits ? largest.planType : held.planType };
}
