import { addDays, type CalendarDate } from "../../calendar-date.ts";
import { addMonths, calendarMonthOf, firstDayOf } from "../../calendar-month.ts";
import { asCents } from "../../money.ts";

/**
 * The statuses of a payout: created, accepted by the provider, arrived, or failed or returned. The last two are final.
 * Pure.
 */
export const payoutStatuses = ["pending", "in_transit", "paid", "failed"] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutStatusLabels: Record<PayoutStatus, string> = {
  pending: "Pending",
  in_transit: "In transit",
  paid: "Paid",
  failed: "Failed",
};

/** The orders of a list of payouts: `newest` by creation, the latest arrival or the highest amount first. */
export const payoutSorts = ["newest", "oldest", "arrived", "amount"] as const;
export type PayoutSort = (typeof payoutSorts)[number];

/**
 * The statuses of a payout in progress: its lines belong to no other payout, and the publisher cannot request a second
 * one.
 */
export const openPayoutStatuses = ["pending", "in_transit"] as const satisfies readonly PayoutStatus[];

/** The minimum payout: $50, in cents. */
export const minimumPayout = asCents(5_000);

/** Describes a repayment among transactions and on payouts. */
export const repaymentDescription = "Repayment by bank transfer";

/** Describes the reversal of one in the same places. */
export const repaymentReversalDescription = "Reversed repayment by bank transfer";

/** How many days earnings are held after the day of their settlement, because reports can still be restated. */
export const holdDays = 7;

/** Returns the last settled day (UTC) whose earnings are released on a day. */
export function releasedThrough(today: CalendarDate): CalendarDate {
  return addDays(today, -holdDays - 1);
}

/** Returns the first of the next month (UTC), the day of automatic payouts. */
export function nextMonthlyPayout(now: Date): CalendarDate {
  return firstDayOf(addMonths(calendarMonthOf(now), 1));
}

/**
 * The states of a connected account: Stripe needs more information, Stripe checks it, ready for payouts, or disabled
 * for a reason that only Stripe can resolve.
 */
export const connectedAccountStates = ["information_needed", "pending_verification", "enabled", "disabled"] as const;
export type ConnectedAccountState = (typeof connectedAccountStates)[number];
