import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { PlanChangeId } from "#app/domain/ids.ts";
import { paymentReversals, planChanges } from "#db/schema/index.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import { type PlanType, plans } from "../plan.ts";
import type { PlanChangeRow } from "../subscription/find-plan-change.server.ts";

/**
 * Returns whether the payment of the current period is intact, and the largest plan that is paid for in it: undefined
 * without payments. A plan from the seed has no payment and counts as paid.
 */
export async function readPaidPlan(
  ctx: Ctx,
  subscription: SubscriptionRow,
): Promise<{ isPaid: boolean; planType: PlanType | undefined }> {
  const isOfPeriod = and(
    eq(planChanges.subscriptionId, subscription.id),
    eq(planChanges.periodStartedAt, subscription.periodStartedAt),
    eq(planChanges.status, "succeeded"),
  );
  const payments = (await ctx.db.select().from(planChanges).where(isOfPeriod)).filter(
    ({ amountCents }) => amountCents > 0,
  );
  const isIntact = ({ amountCents, reversedCents }: PlanChangeRow) => reversedCents < amountCents;
  const isPaid = payments.every((payment) => payment.kind === "upgrade" || isIntact(payment));
  const price = ({ planType }: { planType: PlanType }) => plans[planType].monthlyAmount;
  // An upgrade was charged only the difference from the plan that was paid for, so it counts as paid only while the
  // payments that were intact when it was made still are.
  const reversedAt = await readReversalTimes(ctx, payments);
  const isPaidUp = (upgrade: PlanChangeRow) =>
    payments.every((step) => {
      const at = isIntact(step) ? undefined : reversedAt.get(step.id);
      return !at || step.createdAt >= upgrade.createdAt || at <= upgrade.createdAt;
    });
  const intact = payments.filter((payment) => isIntact(payment) && isPaidUp(payment));
  const [largest] = intact.sort((payment, other) => price(other) - price(payment));
  return { isPaid, planType: largest?.planType };
}

/** Returns when each payment was last reversed. */
async function readReversalTimes(
  ctx: Ctx,
  payments: readonly PlanChangeRow[],
): Promise<Map<PlanChangeId | null, Date>> {
  const ids = payments.map(({ id }) => id);
  const rows = await ctx.db
    .select({ id: paymentReversals.planChangeId, at: paymentReversals.createdAt })
    .from(paymentReversals)
    .where(and(inArray(paymentReversals.planChangeId, ids), gt(paymentReversals.amountCents, 0)))
    .orderBy(asc(paymentReversals.createdAt));
  return new Map(rows.map(({ id, at }) => [id, at]));
}
