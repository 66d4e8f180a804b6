import { type Cents, toCents } from "../../money.ts";
import { type PlanType, plans, type SubscriptionStatus } from "../plan.ts";
import { type BillingPeriod, daysOf, prorated } from "./billing-period.ts";
import { kindOfChange, type PlanChangeKind } from "./plan-change.ts";

/** What somebody has who chooses a plan. */
export type HeldPlan = {
  planType: PlanType;
  status: SubscriptionStatus;
  periodStartedAt: Date;
  periodEndsAt: Date;
  nextPlanType: PlanType | null;
  cancelAtPeriodEnd: boolean;
};

/**
 * What the choice of a plan would do and cost, in cents: `amount` at once, `monthlyAmount` each month from `nextChargeAt` on.
 * `refusal` says why it is not possible. `days` are those of the period, where the price is a part of it.
 */
export type PlanQuote = {
  kind: Exclude<PlanChangeKind, "renewal">;
  planType: PlanType;
  amount: Cents;
  effectiveAt: Date;
  monthlyAmount: Cents;
  nextChargeAt: Date;
  days: { all: number; left: number } | null;
  refusal: string | null;
};

/** `used` are the campaigns that take a place; `first` the period that a new plan would begin with. Pure. */
export function quoteFor(
  planType: PlanType,
  { held, used, now, first }: { held: HeldPlan | undefined; used: number; now: Date; first: BillingPeriod },
): PlanQuote {
  const kind = kindOfChange(held?.planType, planType);
  const { monthlyAmount } = plans[planType];
  const refusal = refusalOf(planType, { kind, held, used });
  const common = { kind, planType, monthlyAmount, refusal };
  if (!held) return { ...common, amount: monthlyAmount, effectiveAt: now, nextChargeAt: first.endsAt, days: null };
  const nextChargeAt = held.periodEndsAt;
  if (kind !== "upgrade") {
    const effectiveAt = kind === "downgrade" ? nextChargeAt : now;
    return { ...common, amount: toCents(0), effectiveAt, nextChargeAt, days: null };
  }
  const days = daysOf({ startedAt: held.periodStartedAt, endsAt: held.periodEndsAt }, now);
  const difference = toCents(monthlyAmount - plans[held.planType].monthlyAmount);
  return { ...common, amount: prorated(difference, days), effectiveAt: now, nextChargeAt, days };
}

function refusalOf(
  planType: PlanType,
  { kind, held, used }: { kind: PlanChangeKind; held: HeldPlan | undefined; used: number },
): string | null {
  if (held?.status === "past_due") return "The payment of your plan is open. Pay it first, or cancel the plan.";
  return kind === "keep" ? null : (tooSmall(planType, used) ?? null);
}

/** Why the plan is too small for the campaigns that take a place; undefined when it is not. Pure. */
export function tooSmall(planType: PlanType, used: number): string | undefined {
  const { label, campaignLimit } = plans[planType];
  if (campaignLimit === undefined || used <= campaignLimit) return undefined;
  const over = used - campaignLimit;
  const rest = over === 1 ? "one of them is" : `${over} of them are`;
  return `You run ${used} campaigns, and the ${label} plan allows ${campaignLimit}. Wait until ${rest} completed.`;
}
