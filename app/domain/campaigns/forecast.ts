import { type CalendarDate, daysInclusive } from "../calendar-date.ts";
import { asCents, type Cents } from "../money.ts";
import type { FrequencyCapPeriod, Pacing } from "./campaign.ts";

/** The input of a forecast, from published figures only: never an audience's exact size. */
export type ForecastInput = {
  /** The published reach of the audiences together, without duplicates: from `from` to fewer than `to` people. */
  reach: { from: number; to: number };
  /** The lowest and the highest CPM of the audiences. */
  cpmCents: { from: Cents; to: Cents };
  /** What is left of the total budget. */
  totalBudgetCents: Cents;
  dailyBudgetCents: Cents;
  startDate: CalendarDate;
  endDate: CalendarDate;
  /** Days before today do not count. */
  today: CalendarDate;
  cap: { impressions: number; period: FrequencyCapPeriod };
  pacing: Pacing;
};

type Range<Value extends number> = { from: Value; to: Value };

/**
 * What limits delivery: one budget, the people and the frequency cap, or either, depending on where in the ranges it
 * ends.
 */
export type ForecastLimit = "total_budget" | "daily_budget" | "audience" | "audience_or_budget";

/** What a campaign can deliver in the rest of its flight. */
export type Forecast = {
  days: number;
  impressions: Range<number>;
  people: Range<number>;
  cost: Range<Cents>;
  costPerDay: Range<Cents>;
  limit: ForecastLimit;
};

/**
 * The share of an audience that ad platforms find again among their own users, which depends on the channel and on the
 * identifiers: the main source of the forecast's error (docs/decisions/0062).
 */
export const matchShare = { from: 0.3, to: 0.9 } as const;

const periodDays: Record<Exclude<FrequencyCapPeriod, "hour">, number> = { day: 1, week: 7, month: 30 };

/**
 * Forecasts a campaign as ranges; undefined when the flight is over or has no budget or no people. The lower bounds
 * take the smallest reach and the highest price, the upper bounds the opposite. Pure.
 */
export function computeForecast(input: ForecastInput): Forecast | undefined {
  const { reach, cpmCents, totalBudgetCents, dailyBudgetCents, startDate, endDate, today, pacing } = input;
  const days = Math.min(daysInclusive(startDate, endDate), daysInclusive(today, endDate));
  if (days < 1 || reach.to < 1 || cpmCents.from < 1 || Math.min(totalBudgetCents, dailyBudgetCents) < 1)
    return undefined;
  const people = { from: Math.floor(reach.from * matchShare.from), to: Math.ceil(reach.to * matchShare.to) };
  const perPerson = impressionsPerPerson(input.cap, days);
  const spendable = Math.min(totalBudgetCents, dailyBudgetCents * days);
  const capped = { from: people.from * perPerson, to: people.to * perPerson };
  const impressions = {
    from: Math.min(capped.from, Math.floor((spendable * 1_000) / cpmCents.to)),
    to: Math.min(capped.to, Math.floor((spendable * 1_000) / cpmCents.from)),
  };
  const cost = {
    from: asCents(Math.floor(Math.min(spendable, (capped.from * cpmCents.from) / 1_000))),
    to: asCents(Math.floor(Math.min(spendable, (capped.to * cpmCents.to) / 1_000))),
  };
  return {
    days,
    impressions,
    people: { from: Math.ceil(impressions.from / perPerson), to: Math.min(people.to, impressions.to) },
    cost,
    costPerDay: {
      from: asCents(Math.floor(cost.from / days)),
      to: pacing === "asap" ? smaller(dailyBudgetCents, cost.to) : asCents(Math.ceil(cost.to / days)),
    },
    limit: limitOf(input, { days, spendable, cost }),
  };
}

/**
 * Returns the most impressions that the cap allows one person in so many days. A period that has begun counts whole.
 */
function impressionsPerPerson({ impressions, period }: ForecastInput["cap"], days: number): number {
  return impressions * (period === "hour" ? 24 * days : Math.ceil(days / periodDays[period]));
}

function limitOf(
  { totalBudgetCents, dailyBudgetCents }: ForecastInput,
  { days, spendable, cost }: { days: number; spendable: number; cost: Range<Cents> },
): ForecastLimit {
  if (cost.to < spendable) return "audience";
  if (cost.from < spendable) return "audience_or_budget";
  return dailyBudgetCents * days < totalBudgetCents ? "daily_budget" : "total_budget";
}

function smaller(one: Cents, other: Cents): Cents {
  return one < other ? one : other;
}
