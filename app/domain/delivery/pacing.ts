import { addDays, type CalendarDate, daysInclusive, formatDate } from "../calendar-date.ts";
import type { Pacing } from "../campaigns/campaign.ts";
import { type DeliveryEligibility, ineligibilityReasonLabels } from "../campaigns/delivery-eligibility.ts";
import { asCents, type Cents, formatCentsShort } from "../money.ts";

/** The input for the pacing of a campaign. Money in cents; days are UTC. */
export type PacingInput = {
  startDate: CalendarDate;
  endDate: CalendarDate;
  totalBudgetCents: Cents;
  dailyBudgetCents: Cents;
  pacing: Pacing;
  today: CalendarDate;
  /** The spend by day; missing days spent nothing. */
  spentCents: ReadonlyMap<CalendarDate, Cents>;
  /** Whether the campaign is eligible to deliver today. */
  delivery: DeliveryEligibility;
};

/**
 * One day of the flight; all three amounts are cumulative. They begin with what was spent before the flight, if its
 * start was moved since.
 */
type PacingDay = {
  day: CalendarDate;
  planned: Cents;
  /** Null for future days. */
  actual: Cents | null;
  /** From today on, null before. */
  projected: Cents | null;
};

export type PacingStatus = {
  days: PacingDay[];
  /** Based on the past days. `too_early`: there is none. */
  state: "too_early" | "on_pace" | "behind" | "ahead";
  /** Through the end of yesterday. */
  plannedSoFar: Cents;
  spentSoFar: Cents;
  /** By the end of the flight, if the recent pace continues. */
  projectedEnd: Cents;
  /** Nothing can be spent now, so nothing is projected. A flight that starts later is not stopped. */
  stopped: boolean;
  /** Why the campaign is behind, or why it cannot spend its budget: a sentence. Null when there is nothing to say. */
  reason: string | null;
};

/** The tolerance around the plan that counts as on pace. */
const tolerance = 0.05;
/** The number of past days whose average is the projected daily spend. */
const lookBack = 7;

/**
 * Compares a campaign's spend with its plan, day by day, and projects it. Pure. Of a long flight it returns about
 * `maxDays` days at even intervals, counted back from the last one, and today; computing the others would take longer
 * the further away the end is.
 */
export function computePacing(pacingInput: PacingInput, maxDays = Number.POSITIVE_INFINITY): PacingStatus {
  const before = spentBefore(pacingInput);
  const input: Flight = { ...pacingInput, before };
  const { startDate, endDate, today } = input;
  const length = Math.max(1, daysInclusive(startDate, endDate));
  const pastLength = Math.min(length, Math.max(0, daysInclusive(startDate, today) - 1));
  const pastDays = Array.from({ length: pastLength }, (_, index) => addDays(startDate, index));
  const spentOn = (day: CalendarDate): number => input.spentCents.get(day) ?? 0;
  const rate = dailyRate(input, pastDays.map(spentOn));

  const actual = runningTotal(
    before,
    (today >= startDate && today <= endDate ? [...pastDays, today] : pastDays).map(spentOn),
  );
  const spentByToday = actual.at(-1) ?? before;
  const projectedAfter = (index: number) =>
    project(input, { spentByToday, futureDays: index + 1 - actual.length, rate });
  const step = Math.ceil(length / maxDays) || 1;
  const kept = Array.from({ length }, (_, index) => index).filter(
    (index) => (length - 1 - index) % step === 0 || index === pastLength,
  );
  const days = kept.map((index): PacingDay => {
    const spent = actual[index];
    return {
      day: addDays(startDate, index),
      planned: plannedBy(input, { days: index + 1, length }),
      actual: spent === undefined ? null : asCents(spent),
      projected: index < pastLength ? null : asCents(projectedAfter(index)),
    };
  });

  const plannedSoFar = plannedBy(input, { days: pastLength, length });
  const spentSoFar = asCents(actual[pastLength - 1] ?? before);
  const state = pacingState({ days: pastLength, planned: plannedSoFar - before, spent: spentSoFar - before });
  const projectedEnd = asCents(today > endDate ? spentByToday : projectedAfter(length - 1));
  const shown = { days, state, plannedSoFar, spentSoFar, projectedEnd, stopped: isStopped(input) };
  return { ...shown, reason: findReason(input, { ...shown, pastDays, length }) };
}

/** Returns the total after each amount. */
function runningTotal(before: number, amounts: readonly number[]): number[] {
  let total = before;
  return amounts.map((amount) => {
    total += amount;
    return total;
  });
}

/** `before` is what was spent before the flight, in cents: it had begun, and an approved version starts it later. */
type Flight = PacingInput & { before: number };

function spentBefore({ startDate, spentCents }: PacingInput): number {
  let sum = 0;
  for (const [day, cents] of spentCents) if (day < startDate) sum += cents;
  return sum;
}

/**
 * Returns the planned spend after a number of days. Even pacing: the same each day, up to the daily budget. As fast as
 * possible: the daily budget each day while the total budget lasts. What was spent before the flight is not planned
 * again.
 */
function plannedBy(
  { totalBudgetCents, dailyBudgetCents, pacing, before }: Flight,
  { days, length }: { days: number; length: number },
): Cents {
  const left = Math.max(0, totalBudgetCents - before);
  const evenly = pacing === "even" ? Math.floor((left * days) / length) : left;
  return asCents(before + Math.min(left, dailyBudgetCents * days, evenly));
}

function isStopped({ delivery }: PacingInput): boolean {
  return !delivery.eligible && delivery.reason !== "not_started";
}

/**
 * Returns the projected daily spend: the average of the recent days with spend, or the plan's before any; 0 while
 * delivery is stopped.
 */
function dailyRate(input: Flight, pastDays: number[]): number {
  if (isStopped(input)) return 0;
  const spent = pastDays.slice(-lookBack).filter((cents) => cents > 0);
  if (spent.length > 0) return Math.round(spent.reduce((sum, cents) => sum + cents, 0) / spent.length);
  const length = Math.max(1, daysInclusive(input.startDate, input.endDate));
  return plannedBy(input, { days: 1, length }) - input.before;
}

/**
 * Returns the cumulative projection for the end of today, or of a later day of the flight. Today ends with its spend so
 * far, or the projected daily spend when that is more; a day to come spends that, while the total budget lasts.
 */
function project(
  { today, startDate, totalBudgetCents, dailyBudgetCents, spentCents }: PacingInput,
  { spentByToday, futureDays, rate }: { spentByToday: number; futureDays: number; rate: number },
): number {
  const daily = Math.min(rate, dailyBudgetCents);
  const leftOfToday = today < startDate ? 0 : Math.max(0, daily - (spentCents.get(today) ?? 0));
  return Math.max(spentByToday, Math.min(spentByToday + leftOfToday + daily * futureDays, totalBudgetCents));
}

function pacingState(soFar: { days: number; planned: number; spent: number }): PacingStatus["state"] {
  const { days, planned, spent } = soFar;
  if (days <= 0) return "too_early";
  if (spent < planned * (1 - tolerance)) return "behind";
  return spent > planned * (1 + tolerance) ? "ahead" : "on_pace";
}

type PacingFacts = Omit<PacingStatus, "reason"> & { pastDays: CalendarDate[]; length: number };

/** Returns the first reason that applies: stopped now, started late, paused in between, or audiences too small. */
function findReason(input: Flight, pace: PacingFacts): string | null {
  const { delivery, dailyBudgetCents, totalBudgetCents, startDate } = input;
  const isOver = !delivery.eligible && (delivery.reason === "ended" || delivery.reason === "completed");
  const mayResume = !delivery.eligible && !isOver && delivery.reason !== "budget_used_up";
  if (mayResume && (pace.stopped || pace.state === "behind")) {
    return `The campaign is not running (${ineligibilityReasonLabels[delivery.reason].toLowerCase()}).`;
  }
  if (pace.state === "behind") {
    const ran = pace.pastDays.filter((day) => (input.spentCents.get(day) ?? 0) > 0);
    const [first, last] = [ran[0], ran.at(-1)];
    if (!first || !last) return "No delivery reported yet.";
    const late = daysInclusive(startDate, first) - 1;
    if (late > 0) return `Delivery started ${dayCount(late)} late, on ${formatDate(first)}.`;
    const still = daysInclusive(first, last) - ran.length;
    if (still > 0) return `Nothing was delivered on ${dayCount(still)} of the flight.`;
    return "Your audiences are too small to spend the full budget. Add a larger audience, more channels or a higher frequency cap.";
  }
  const most = input.before + dailyBudgetCents * pace.length;
  if (most >= totalBudgetCents) return null;
  return `The daily budget limits spend to ${formatCentsShort(asCents(most))} over the flight, less than the ${formatCentsShort(totalBudgetCents)} budget. Raise the daily budget to spend it all.`;
}

function dayCount(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
