import { addDays, type CalendarDate } from "../../calendar-date.ts";
import { asCents, type Cents } from "../../money.ts";

/**
 * An advertiser's funds, in cents: the wallet balance, the debt, the credit limit, and spend that is not settled yet.
 */
export type Funds = { wallet: Cents; owed: Cents; creditLimit: Cents; unsettled: Cents };

/**
 * Returns what is left to spend, in cents: the balance and the credit limit less the debt and unsettled spend. May be
 * negative. Pure.
 */
export function fundsLeft({ wallet, owed, creditLimit, unsettled }: Funds): Cents {
  return asCents(wallet - owed + creditLimit - unsettled);
}

/** Returns what a top-up has to exceed for campaigns to deliver, in cents, 0 or more. Pure. */
export function fundsShortfall(funds: Funds): Cents {
  return asCents(Math.max(0, -fundsLeft(funds)));
}

/** Returns whether an advertiser may deliver: it has funds left. Pure. */
export function hasFunds(funds: Funds): boolean {
  return fundsLeft(funds) > 0;
}

/** How many days in advance advertisers are warned of low funds. */
const lowFundsWarningDays = 7;

/**
 * Returns the day (UTC) on which the funds run out at the average pace of the last seven days, if that is within a
 * week; null when it is later or nothing is spent. `left` and `lastWeek` (the spend of seven days) are in cents. Pure.
 */
export function projectedLastDay(
  { left, lastWeek }: { left: Cents; lastWeek: Cents },
  today: CalendarDate,
): CalendarDate | null {
  if (lastWeek <= 0) return null;
  const days = Math.max(0, Math.floor((left * 7) / lastWeek));
  return days <= lowFundsWarningDays ? addDays(today, days) : null;
}
