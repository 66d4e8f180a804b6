import { eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor, PublisherActor } from "../../context.ts";
import { newId, type PlanChangeId } from "../../ids.ts";
import type { SubscriptionRow } from "../find-subscription.server.ts";
import type { PaymentMethodRow } from "../payments/payment-method-rows.server.ts";
import { type PlanType, plans } from "../plan.ts";
import { periodFrom } from "./billing-period.ts";
import { insertPayment } from "./insert-payment.server.ts";
import { netFromEarnings } from "./net-from-earnings.server.ts";
import { renewalKeys } from "./plan-change.ts";
import { tooSmall } from "./plan-quote.ts";
import { countPlanUse } from "./plan-use.server.ts";

type RenewCtx = Ctx<PublisherActor | JobActor>;
type Renewal = {
  held: SubscriptionRow;
  /** Asked for where earnings do not pay it. */
  method: () => Promise<PaymentMethodRow | undefined>;
  key?: string;
  returnPath: (id: PlanChangeId) => `/${string}`;
};

/** Pays the next period from earnings, or writes down that it is to be paid by a method, within the caller's transaction, with the plan locked. Gives the change to be finished. */
export async function beginRenewal(ctx: RenewCtx, renewal: Renewal): Promise<PlanChangeId> {
  const { held, method, returnPath } = renewal;
  const planType = await nextPlan(ctx, held);
  const id = newId<PlanChangeId>();
  const payment = {
    id,
    accountId: held.accountId,
    subscriptionId: held.id,
    kind: "renewal" as const,
    planType,
    amount: plans[planType].monthlyAmount,
    periodStartedAt: nextPeriodStart(held, ctx.clock()),
    words: `${plans[planType].label} plan`,
    key: renewal.key ?? renewalKeys + id,
    returnPath: returnPath(id),
  };
  if (!(await netFromEarnings(ctx, payment))) await insertPayment(ctx, { ...payment, method: await method() });
  return id;
}

/**
 * A period follows the last one, and one that was paid for no more ends when it is paid again. Where nobody looked for longer than a whole one (no process ran), the next begins now: nobody pays
 * for months in which there was nothing.
 */
function nextPeriodStart({ anchorAt, periodEndsAt, takenBackAt }: SubscriptionRow, now: Date): Date {
  if (takenBackAt && now < periodEndsAt) return now;
  return periodFrom(anchorAt, periodEndsAt).endsAt > now ? periodEndsAt : now;
}

/**
 * The smaller plan that was asked for, if it has room for what runs by now; it holds from here on, whatever comes of the payment, so
 * that no campaign takes a place meanwhile. Else the plan stays, and the publisher is told why.
 */
async function nextPlan(ctx: RenewCtx, held: SubscriptionRow): Promise<PlanType> {
  const { id, accountId, planType, nextPlanType } = held;
  if (!nextPlanType) return planType;
  const reason = tooSmall(nextPlanType, await countPlanUse(ctx, accountId));
  const goesOnAs = reason ? planType : nextPlanType;
  const set = { planType: goesOnAs, nextPlanType: null };
  await ctx.db.update(subscriptions).set(set).where(eq(subscriptions.id, id));
  await recordAudit(ctx, {
    action: reason ? "subscription.downgrade_refused" : "subscription.downgraded",
    entity: "subscription",
    entityId: id,
    accountId,
    before: { plan_type: planType, next_plan_type: nextPlanType },
    after: { plan_type: goesOnAs, next_plan_type: null, ...(reason ? { reason } : { was: planType }) },
    told: { plan: goesOnAs },
  });
  return goesOnAs;
}
