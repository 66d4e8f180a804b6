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
export function nextRetryAt(pastDueSince: Date, now: Date): Date | undefined {
  return retryDays.map((days) => new Date(pastDueSince.getTime() + days * dayMs)).find((at) => at > now);
}

/** Returns the time of the last retry. */
export function lastRetryAt(pastDueSince: Date): Date {
  return new Date(pastDueSince.getTime() + Math.max(...retryDays) * dayMs);
}
