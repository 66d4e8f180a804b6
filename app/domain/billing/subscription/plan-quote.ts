import type { ErrorCode } from "../../errors.ts";
import { asCents, type Cents } from "../../money.ts";
import { type PlanType, plans, type SubscriptionStatus } from "../plan.ts";
import { type BillingPeriod, periodDays, proratedAmount } from "./billing-period.ts";
import { kindOfChange, type PlanChangeKind } from "./plan-change.ts";

/** The current plan of a publisher that chooses a plan. */
export type CurrentPlan = {
  planType: PlanType;
  status: SubscriptionStatus;
  periodStartedAt: Date;
  periodEndsAt: Date;
  nextPlanType: PlanType | null;
  cancelAtPeriodEnd: boolean;
};

/**
 * What the choice of a plan does and costs, in cents: `amount` at once, `monthlyAmount` each month from `nextChargeAt`
 * on. `blocked` says why the choice is not possible, with the error's code. `days` are the days of the period for a
 * prorated price. `pricedFrom` is the smaller plan that an upgrade is priced from, where the payment of the current
 * plan was reversed.
 */
export type PlanQuote = {
  kind: Exclude<PlanChangeKind, "renewal">;
  planType: PlanType;
  amount: Cents;
  effectiveAt: Date;
  monthlyAmount: Cents;
  nextChargeAt: Date;
  days: { all: number; left: number } | null;
  pricedFrom: PlanType | null;
  blocked: { code: Extract<ErrorCode, "invalid_transition" | "limit_reached">; reason: string } | null;
};

/**
 * Computes a quote. `paidPlanType` is the largest plan that is paid for in the period, where it has payments; `used` is
 * the number of campaigns that count toward the plan's limit; `firstPeriod` is that of a new plan. Pure.
 */
export function computePlanQuote(
  planType: PlanType,
  {
    subscription,
    paidPlanType,
    used,
    now,
    firstPeriod,
  }: {
    subscription: CurrentPlan | undefined;
    paidPlanType: PlanType | undefined;
    used: number;
    now: Date;
    firstPeriod: BillingPeriod;
  },
): PlanQuote {
  const kind = kindOfChange(subscription?.planType, planType);
  const { monthlyAmount } = plans[planType];
  const blocked = findBlock(planType, { kind, subscription, used, now });
  const common = { kind, planType, monthlyAmount, blocked, pricedFrom: null };
  if (!subscription)
    return { ...common, amount: monthlyAmount, effectiveAt: now, nextChargeAt: firstPeriod.endsAt, days: null };
  const nextChargeAt = subscription.periodEndsAt;
  if (kind !== "upgrade") {
    const effectiveAt = kind === "downgrade" ? nextChargeAt : now;
    return { ...common, amount: asCents(0), effectiveAt, nextChargeAt, days: null };
  }
  const days = periodDays({ startedAt: subscription.periodStartedAt, endsAt: subscription.periodEndsAt }, now);
  // A plan stays after the reversal of its payment where a smaller one has no capacity for the running campaigns.
  const current = plans[subscription.planType].monthlyAmount;
  const pricedFrom = paidPlanType && plans[paidPlanType].monthlyAmount < current ? paidPlanType : null;
  const difference = asCents(monthlyAmount - plans[pricedFrom ?? subscription.planType].monthlyAmount);
  return { ...common, amount: proratedAmount(difference, days), effectiveAt: now, nextChargeAt, days, pricedFrom };
}

function findBlock(
  planType: PlanType,
  {
    kind,
    subscription,
    used,
    now,
  }: { kind: PlanChangeKind; subscription: CurrentPlan | undefined; used: number; now: Date },
): PlanQuote["blocked"] {
  if (subscription?.status === "past_due") {
    return {
      code: "invalid_transition",
      reason: "Your plan payment is past due. Pay it first, or cancel the plan.",
    };
  }
  // No days are left to pay for, and a cancellation that is due would be undone.
  if (kind === "upgrade" && subscription && subscription.periodEndsAt <= now) {
    return {
      code: "invalid_transition",
      reason: "Your billing period has ended, and the next one has not started yet. Try again in a few minutes.",
    };
  }
  const reason = kind === "keep" ? undefined : planTooSmallReason(planType, used);
  return reason === undefined ? null : { code: "limit_reached", reason };
}

/** Returns why the plan is too small for the campaigns that count toward its limit; undefined when it is not. Pure. */
export function planTooSmallReason(planType: PlanType, used: number): string | undefined {
  const { label, campaignLimit } = plans[planType];
  if (campaignLimit === undefined || used <= campaignLimit) return undefined;
  const over = used - campaignLimit;
  const rest = over === 1 ? "one of them ends" : `${over} of them end`;
  return `You run ${used} campaigns, but the ${label} plan allows ${campaignLimit}. Wait until ${rest}.`;
}

/**
 * Returns the plan that the next period is of: the scheduled downgrade, or the current plan with the reason why the
 * downgrade is too small for the running campaigns. Pure.
 */
export function planOfNextPeriod(
  { planType, nextPlanType }: Pick<CurrentPlan, "planType" | "nextPlanType">,
  used: number,
): { planType: PlanType; skippedReason?: string | undefined } {
  if (!nextPlanType) return { planType };
  const skippedReason = planTooSmallReason(nextPlanType, used);
  return { planType: skippedReason ? planType : nextPlanType, skippedReason };
}
