import type { CalendarDate } from "../calendar-date.ts";
import type { Cents } from "../money.ts";
import type { LineItemStatus } from "./campaign.ts";

/** The fields of a version that limit delivery. */
export type DeliveryBounds = {
  totalBudgetCents: Cents | null;
  dailyBudgetCents: Cents | null;
  startDate: CalendarDate | null;
  endDate: CalendarDate | null;
};

export type DeliveryEligibility =
  | { eligible: true; totalBudgetCents: Cents; dailyBudgetCents: Cents }
  | {
      eligible: false;
      reason:
        | "not_approved"
        | "paused"
        | "completed"
        | "withdrawn"
        | "not_started"
        | "ended"
        | "budget_used_up"
        | "no_funds";
    };

/**
 * Decides whether a line item may deliver on a day (UTC), and within which budgets; no other code decides this. The
 * approved version sets the limits; while a newer version is pending, the smaller budget of the two applies.
 * `spentCents` is the spend of the whole campaign. `onFundsHold` (the advertiser's funds are exhausted) applies to the
 * present only: what was delivered on past days is billed. Pure.
 */
export function deliveryEligibility(
  lineItem: {
    status: LineItemStatus;
    approved: DeliveryBounds | undefined;
    sentBounds: DeliveryBounds;
    spentCents: Cents;
    onFundsHold?: boolean;
  },
  day: CalendarDate,
): DeliveryEligibility {
  const { approved, sentBounds } = lineItem;
  if (lineItem.status === "withdrawn") return { eligible: false, reason: "withdrawn" };
  if (!approved || lineItem.status === "pending") return { eligible: false, reason: "not_approved" };
  if (lineItem.status === "completed") return { eligible: false, reason: "completed" };
  if (lineItem.status === "paused") return { eligible: false, reason: "paused" };
  if (!approved.startDate || day < approved.startDate) return { eligible: false, reason: "not_started" };
  if (!approved.endDate || day > approved.endDate) return { eligible: false, reason: "ended" };
  const totalBudgetCents = smaller(approved.totalBudgetCents, sentBounds.totalBudgetCents);
  const dailyBudgetCents = smaller(approved.dailyBudgetCents, sentBounds.dailyBudgetCents);
  if (!totalBudgetCents || !dailyBudgetCents || lineItem.spentCents >= totalBudgetCents) {
    return { eligible: false, reason: "budget_used_up" };
  }
  if (lineItem.onFundsHold) return { eligible: false, reason: "no_funds" };
  return { eligible: true, totalBudgetCents, dailyBudgetCents };
}

function smaller(one: Cents | null, other: Cents | null): Cents | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Labels of the reasons, for both sides. */
export const ineligibilityReasonLabels: Record<Extract<DeliveryEligibility, { eligible: false }>["reason"], string> = {
  not_approved: "Pending approval",
  paused: "Paused",
  completed: "Completed",
  withdrawn: "Withdrawn",
  not_started: "Not started yet",
  ended: "Flight ended",
  budget_used_up: "Budget spent",
  no_funds: "On hold: insufficient funds",
};
