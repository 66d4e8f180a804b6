import { asCents } from "../../money.ts";
import { type PlanType, plans, planTypes } from "../plan.ts";
import type { TransactionStatus } from "../transaction.ts";

/**
 * The kinds of plan change: start, upgrade at once, downgrade at the end of the period, keep the plan after all, or
 * renew for another period. Pure.
 */
export const planChangeKinds = ["start", "upgrade", "downgrade", "keep", "renewal"] as const;
export type PlanChangeKind = (typeof planChangeKinds)[number];

/** The statuses of a plan change; the last three are final. A change without a price succeeds immediately. */
export const planChangeStatuses = ["pending", "needs_confirmation", "succeeded", "failed", "canceled"] as const;
export type PlanChangeStatus = (typeof planChangeStatuses)[number];

/** The statuses with a payment in progress. An account has at most one such change. */
export const openChangeStatuses = ["pending", "needs_confirmation"] as const satisfies readonly PlanChangeStatus[];

export function isOpenChange(status: PlanChangeStatus): boolean {
  return status === "pending" || status === "needs_confirmation";
}

/** The allowed transitions; the last three statuses are final. */
export const planChangeTransitions: Record<PlanChangeStatus, readonly PlanChangeStatus[]> = {
  pending: ["needs_confirmation", "succeeded", "failed", "canceled"],
  needs_confirmation: ["succeeded", "failed", "canceled"],
  succeeded: [],
  failed: [],
  canceled: [],
};

/** Returns the status of the account's transaction for a plan change. */
export function transactionStatusFor(status: PlanChangeStatus): TransactionStatus {
  return status === "needs_confirmation" ? "pending" : status;
}

/** The maximum price of a plan change, in cents: one period of the largest plan. */
export const maxPlanChangeCents = asCents(Math.max(...planTypes.map((plan) => plans[plan].monthlyAmount)));

/** Returns the kind of change from the current plan, if any, to the chosen one. */
export function kindOfChange(from: PlanType | undefined, to: PlanType): Exclude<PlanChangeKind, "renewal"> {
  if (!from) return "start";
  const difference = plans[to].monthlyAmount - plans[from].monthlyAmount;
  return difference > 0 ? "upgrade" : difference < 0 ? "downgrade" : "keep";
}

/** The prefix of the idempotency keys of automatic renewals; keys of requests start with their entrypoint's name. */
export const renewalKeyPrefix = "renewal/";

const dayMs = 24 * 3_600_000;

/** The days after a failed renewal on which it is retried. When the last retry fails, the plan ends. */
const retryDays = [1, 3, 7] as const;

/** Returns when an unpaid renewal is retried next; undefined when no retry is left. */
function nextRetryAt(pastDueSince: Date, now: Date): Date | undefined {
  return retryDays.map((days) => new Date(pastDueSince.getTime() + days * dayMs)).find((at) => at > now);
}

/** A plan whose payment is past due. A canceled one is past due because the payment of its last period was reversed. */
type PastDuePlan = { pastDueSince: Date; periodEndsAt: Date; cancelAtPeriodEnd: boolean };

/**
 * Returns when a past-due plan ends unpaid: with the last retry; a canceled plan with its period, if that is earlier.
 */
export function unpaidEndsAt({ pastDueSince, periodEndsAt, cancelAtPeriodEnd }: PastDuePlan): Date {
  const lastRetryAt = new Date(pastDueSince.getTime() + Math.max(...retryDays) * dayMs);
  return cancelAtPeriodEnd && periodEndsAt < lastRetryAt ? periodEndsAt : lastRetryAt;
}

/**
 * Returns when a past-due plan is processed next: at its next retry, or, for a canceled plan, which is not charged by
 * itself, at its end. Undefined when the plan ends now.
 */
export function nextDueAt(plan: PastDuePlan, now: Date): Date | undefined {
  if (!plan.cancelAtPeriodEnd) return nextRetryAt(plan.pastDueSince, now);
  const endsAt = unpaidEndsAt(plan);
  return endsAt > now ? endsAt : undefined;
}
