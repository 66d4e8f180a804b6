import { toCents } from "../../money.ts";
import { type PlanType, plans, planTypes } from "../plan.ts";
import type { TransactionStatus } from "../transaction.ts";

/**
 * What happens to a publisher's plan: it begins, grows at once, gets smaller at the period's end, stays as it is after all, or
 * goes on for another period. Pure.
 */
export const planChangeKinds = ["start", "upgrade", "downgrade", "keep", "renewal"] as const;
export type PlanChangeKind = (typeof planChangeKinds)[number];

/** How it stands; the last three are final. What costs nothing succeeds at once. */
export const planChangeStatuses = ["pending", "needs_confirmation", "succeeded", "failed", "canceled"] as const;
export type PlanChangeStatus = (typeof planChangeStatuses)[number];

/** Its payment is under way: of an account at most one is. */
export const openChangeStatuses = ["pending", "needs_confirmation"] as const satisfies readonly PlanChangeStatus[];

export function isOpen(status: PlanChangeStatus): boolean {
  return status === "pending" || status === "needs_confirmation";
}

/** What may come after what; nothing leaves the last three. */
export const planChangeTransitions: Record<PlanChangeStatus, readonly PlanChangeStatus[]> = {
  pending: ["needs_confirmation", "succeeded", "failed", "canceled"],
  needs_confirmation: ["succeeded", "failed", "canceled"],
  succeeded: [],
  failed: [],
  canceled: [],
};

/** How the account's line of it stands. */
export function lineStatus(status: PlanChangeStatus): TransactionStatus {
  return status === "needs_confirmation" ? "pending" : status;
}

/** The most that one may cost, in cents: a period of the largest plan. */
export const mostForChange = toCents(Math.max(...planTypes.map((plan) => plans[plan].monthlyAmount)));

/** What a choice of a plan is, to somebody who has this one, or none. */
export function kindOfChange(from: PlanType | undefined, to: PlanType): Exclude<PlanChangeKind, "renewal"> {
  if (!from) return "start";
  const more = plans[to].monthlyAmount - plans[from].monthlyAmount;
  return more > 0 ? "upgrade" : more < 0 ? "downgrade" : "keep";
}

/** How the keys of those begin that nobody asked for: a door's own keys begin with its name. */
export const renewalKeys = "renewal/";

const day = 24 * 3_600_000;

/** Days after a renewal was not paid on which it is tried again. When the last one fails too, the plan is over. */
const retryDays = [1, 3, 7] as const;

/** When an unpaid renewal is tried next; undefined when no try is left. */
export function nextRetry(pastDueSince: Date, now: Date): Date | undefined {
  return retryDays.map((days) => new Date(pastDueSince.getTime() + days * day)).find((at) => at > now);
}

/** Until when it is tried. */
export function lastRetry(pastDueSince: Date): Date {
  return new Date(pastDueSince.getTime() + Math.max(...retryDays) * day);
}
