import type { CalendarDate } from "../calendar-date.ts";
import type { Cents } from "../money.ts";
import type { LineItemStatus } from "./campaign.ts";

/** The parts of a version that bound delivery. */
export type DeliveryBounds = {
  totalBudgetCents: Cents | null;
  dailyBudgetCents: Cents | null;
  startDate: CalendarDate | null;
  endDate: CalendarDate | null;
};

export type DeliveryState =
  | { may: true; totalBudgetCents: Cents; dailyBudgetCents: Cents }
  | {
      may: false;
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
 * The one predicate on delivery: whether a line item may deliver on a day (UTC), and within which budgets.
 * The approved version bounds it; while a newer one waits for a decision the smaller budget of the two holds.
 * `spentCents` is what the whole campaign spent; `waitsForFunds`, that its advertiser's funds are used up, is about now and not
 * about days that are over: what was delivered then stands. Pure.
 */
export function mayDeliver(
  lineItem: {
    status: LineItemStatus;
    approved: DeliveryBounds | undefined;
    sent: DeliveryBounds;
    spentCents: Cents;
    waitsForFunds?: boolean;
  },
  day: CalendarDate,
): DeliveryState {
  const { approved, sent } = lineItem;
  if (lineItem.status === "withdrawn") return { may: false, reason: "withdrawn" };
  if (!approved || lineItem.status === "pending") return { may: false, reason: "not_approved" };
  if (lineItem.status === "completed") return { may: false, reason: "completed" };
  if (lineItem.status === "paused") return { may: false, reason: "paused" };
  if (!approved.startDate || day < approved.startDate) return { may: false, reason: "not_started" };
  if (!approved.endDate || day > approved.endDate) return { may: false, reason: "ended" };
  const totalBudgetCents = smaller(approved.totalBudgetCents, sent.totalBudgetCents);
  const dailyBudgetCents = smaller(approved.dailyBudgetCents, sent.dailyBudgetCents);
  if (!totalBudgetCents || !dailyBudgetCents || lineItem.spentCents >= totalBudgetCents) {
    return { may: false, reason: "budget_used_up" };
  }
  if (lineItem.waitsForFunds) return { may: false, reason: "no_funds" };
  return { may: true, totalBudgetCents, dailyBudgetCents };
}

function smaller(one: Cents | null, other: Cents | null): Cents | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** The state in words, for both sides. */
export const deliveryReasonLabels: Record<Extract<DeliveryState, { may: false }>["reason"], string> = {
  not_approved: "Waits for approval",
  paused: "Paused",
  completed: "Completed",
  withdrawn: "Withdrawn",
  not_started: "Starts later",
  ended: "Flight is over",
  budget_used_up: "Budget used up",
  no_funds: "Waits for funds",
};
