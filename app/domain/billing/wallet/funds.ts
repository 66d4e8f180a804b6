import { addDays, type CalendarDate } from "../../calendar-date.ts";
import { type Cents, toCents } from "../../money.ts";

/** An advertiser's money, in cents: what is in its wallet, what it owes, what it may owe, and spend that is not settled yet. */
export type Funds = { wallet: Cents; owed: Cents; creditLimit: Cents; unsettled: Cents };

/** What is left to spend: the balance and the credit, less what was delivered and is not settled. May be below nothing. Pure. */
export function fundsLeft({ wallet, owed, creditLimit, unsettled }: Funds): Cents {
  return toCents(wallet - owed + creditLimit - unsettled);
}

/** The rule of funds: who has used up all of it does not deliver until there is more. Pure. */
export function hasFunds(funds: Funds): boolean {
  return fundsLeft(funds) > 0;
}

/** How many days ahead one is told that the money ends. */
const warnedAhead = 7;

/**
 * The day (UTC) on which the money ends when each day takes as much as the last seven did on average, when that is within a
 * week; null when it is later, or nothing is spent. `left` and `lastWeek` (what seven days took) in cents. Pure.
 */
export function projectedLastDay(
  { left, lastWeek }: { left: Cents; lastWeek: Cents },
  today: CalendarDate,
): CalendarDate | null {
  if (lastWeek <= 0) return null;
  const days = Math.max(0, Math.floor((left * 7) / lastWeek));
  return days <= warnedAhead ? addDays(today, days) : null;
}
