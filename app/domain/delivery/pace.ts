import { addDays, type CalendarDate, daysInclusive, formatDate } from "../calendar-date.ts";
import type { Pacing } from "../campaigns/campaign.ts";
import { type DeliveryState, deliveryReasonLabels } from "../campaigns/may-deliver.ts";
import { type Cents, formatCentsShort, toCents } from "../money.ts";

/** What the pace of a campaign follows from. Money in cents, days are UTC's. */
export type PaceInput = {
  startDate: CalendarDate;
  endDate: CalendarDate;
  totalBudgetCents: Cents;
  dailyBudgetCents: Cents;
  pacing: Pacing;
  today: CalendarDate;
  /** What each day spent; days that are missing spent nothing. */
  spentCents: ReadonlyMap<CalendarDate, Cents>;
  /** What the predicate on delivery says today. */
  delivery: DeliveryState;
};

/** One day of the flight; all three are sums from the flight's begin to the day's end. */
export type PaceDay = {
  day: CalendarDate;
  planned: Cents;
  /** Null for days to come. */
  actual: Cents | null;
  /** From today on, null before. */
  projected: Cents | null;
};

export type Pace = {
  days: PaceDay[];
  /** Judged by the days that are over. `too_early`: none is. */
  state: "too_early" | "on_pace" | "behind" | "ahead";
  /** By the end of yesterday. */
  plannedSoFar: Cents;
  spentSoFar: Cents;
  /** By the flight's end, if it goes on as in the last days. */
  projectedEnd: Cents;
  /** Why it is behind, or why its budget cannot be used up: a sentence. Null when there is nothing to say. */
  reason: string | null;
};

/** Within a twentieth of the plan is on pace. */
const tolerance = 0.05;
/** The days whose mean is what a day will bring. */
const lookBack = 7;

/** How a campaign's spend stands against its plan, day by day, and where it leads. Pure. */
export function paceOf(input: PaceInput): Pace {
  const { startDate, endDate, today } = input;
  const length = Math.max(1, daysInclusive(startDate, endDate));
  const all = Array.from({ length }, (_, index) => addDays(startDate, index));
  const over = all.filter((day) => day < today);
  const spentOn = (day: CalendarDate): number => input.spentCents.get(day) ?? 0;
  const rate = dailyRate(input, over.map(spentOn));
  let [actual, projected] = [0, 0];
  const days = all.map((day, index): PaceDay => {
    actual += day <= today ? spentOn(day) : 0;
    projected = projectDay(input, { day, before: day <= today ? actual - spentOn(day) : projected, rate });
    return {
      day,
      planned: plannedBy(input, { days: index + 1, length }),
      actual: day <= today ? toCents(actual) : null,
      projected: day >= today ? toCents(projected) : null,
    };
  });
  const plannedSoFar = plannedBy(input, { days: over.length, length });
  const spentSoFar = toCents(over.reduce((sum, day) => sum + spentOn(day), 0));
  const state = stateOf({ days: over.length, plannedSoFar, spentSoFar });
  const projectedEnd = toCents(today > endDate ? actual : projected);
  const shown = { days, state, plannedSoFar, spentSoFar, projectedEnd };
  return { ...shown, reason: reasonOf(input, { ...shown, over, length }) };
}

/** Evenly: the same each day, as far as a day's budget goes. As fast as possible: a day's budget each day while there is any. */
function plannedBy(
  { totalBudgetCents, dailyBudgetCents, pacing }: PaceInput,
  { days, length }: { days: number; length: number },
): Cents {
  const byDays = dailyBudgetCents * days;
  const evenly = pacing === "even" ? Math.floor((totalBudgetCents * days) / length) : totalBudgetCents;
  return toCents(Math.min(totalBudgetCents, byDays, evenly));
}

/** What a day will bring: the mean of the last days that spent, or the plan's before any did; nothing while it is stopped for good. */
function dailyRate(input: PaceInput, before: number[]): number {
  const stopped = !input.delivery.may && input.delivery.reason !== "not_started";
  if (stopped) return 0;
  const spent = before.slice(-lookBack).filter((cents) => cents > 0);
  if (spent.length > 0) return Math.round(spent.reduce((sum, cents) => sum + cents, 0) / spent.length);
  const length = Math.max(1, daysInclusive(input.startDate, input.endDate));
  return plannedBy(input, { days: 1, length });
}

/** Today ends with what it has, or with what a day brings when that is more. */
function projectDay(
  { today, totalBudgetCents, dailyBudgetCents, spentCents }: PaceInput,
  { day, before, rate }: { day: CalendarDate; before: number; rate: number },
): number {
  const spent = day <= today ? (spentCents.get(day) ?? 0) : 0;
  const more = day < today ? spent : Math.max(spent, Math.min(rate, dailyBudgetCents));
  return Math.max(before + spent, Math.min(before + more, totalBudgetCents));
}

function stateOf(soFar: { days: number; plannedSoFar: Cents; spentSoFar: Cents }): Pace["state"] {
  const { days, plannedSoFar, spentSoFar } = soFar;
  if (days <= 0) return "too_early";
  if (spentSoFar < plannedSoFar * (1 - tolerance)) return "behind";
  return spentSoFar > plannedSoFar * (1 + tolerance) ? "ahead" : "on_pace";
}

type Judged = Omit<Pace, "reason"> & { over: CalendarDate[]; length: number };

/** The first that holds: stopped now, began late, stood still in between, or its audiences hold no more. */
function reasonOf(input: PaceInput, pace: Judged): string | null {
  const { delivery, dailyBudgetCents, totalBudgetCents, startDate } = input;
  if (pace.state === "behind") {
    const isOver = !delivery.may && (delivery.reason === "ended" || delivery.reason === "completed");
    if (!delivery.may && !isOver && delivery.reason !== "budget_used_up") {
      return `It does not run now: ${deliveryReasonLabels[delivery.reason].toLowerCase()}.`;
    }
    const ran = pace.over.filter((day) => (input.spentCents.get(day) ?? 0) > 0);
    const [first, last] = [ran[0], ran.at(-1)];
    if (!first || !last) return "Nothing was reported yet.";
    const late = daysInclusive(startDate, first) - 1;
    if (late > 0) return `It began ${dayCount(late)} late, on ${formatDate(first)}.`;
    const still = daysInclusive(first, last) - ran.length;
    if (still > 0) return `It stood still on ${dayCount(still)} of its flight.`;
    return "Its audiences bring fewer impressions than the budget would pay for. A larger audience, more channels or a higher frequency cap would bring more.";
  }
  const most = dailyBudgetCents * pace.length;
  if (most >= totalBudgetCents) return null;
  return `The daily budget allows ${formatCentsShort(toCents(most))} over the flight, less than the budget of ${formatCentsShort(totalBudgetCents)}.`;
}

function dayCount(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
