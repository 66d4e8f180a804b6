import { addDays, type CalendarDate } from "../../calendar-date.ts";
import { addMonths, calendarMonthOf, firstDayOf } from "../../calendar-month.ts";
import { toCents } from "../../money.ts";

/** How a payout stands: made, taken by who transfers it, arrived, or come back. The last two are final. Pure. */
export const payoutStatuses = ["pending", "in_transit", "paid", "failed"] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutStatusLabels: Record<PayoutStatus, string> = {
  pending: "Pending",
  in_transit: "In transit",
  paid: "Paid",
  failed: "Failed",
};

/** On its way: its lines are in no other, and the publisher can have no second. */
export const openPayoutStatuses = ["pending", "in_transit"] as const satisfies readonly PayoutStatus[];

/** Less than $50 is not paid out. */
export const minimumPayout = toCents(5_000);

/** Days that earnings are held after the day on which they were settled, since reports can still be restated. */
export const holdDays = 7;

/** The last settled day (UTC) whose earnings may be paid out on a day. */
export function releasedThrough(today: CalendarDate): CalendarDate {
  return addDays(today, -holdDays - 1);
}

/** The next first of a month (UTC): payouts are made then without being asked for. */
export function nextMonthlyPayout(now: Date): CalendarDate {
  return firstDayOf(addMonths(calendarMonthOf(now), 1));
}

/** Who carries payouts out: the built-in sandbox, or Stripe. */
export const payoutProviders = ["sandbox", "stripe"] as const;
export type PayoutProviderName = (typeof payoutProviders)[number];

/**
 * How a publisher's account at Stripe stands: the publisher has to say more, Stripe looks at what it said, it is paid out to, or
 * it is not, for a reason that only Stripe can clear up.
 */
export const connectedAccountStates = ["needs_more", "checking", "ready", "disabled"] as const;
export type ConnectedAccountState = (typeof connectedAccountStates)[number];
