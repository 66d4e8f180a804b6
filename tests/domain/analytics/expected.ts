import type { AnalyticsFilters, Grouping } from "#app/domain/analytics/analytics.ts";
import type { Period } from "#app/domain/analytics/period.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import type { AccountId } from "#app/domain/ids.ts";
import type { Fact } from "./delivered-world.ts";

export type AnalyticsQuery = { account: AccountId; period: Period; filters: AnalyticsFilters };

/** The results that analytics must return, counted row by row, with money in whole cents. */
export type Expected = { counts: [number, number, number]; cents: [bigint, bigint, bigint] };

const units = [10_000n, 10_000n, 100_000_000n] as const;

function factsOf(facts: readonly Fact[], { account, period, filters }: AnalyticsQuery): Fact[] {
  return facts.filter(
    (fact) =>
      fact.accounts.includes(account) &&
      fact.day >= period.from &&
      fact.day <= period.to &&
      (!filters.campaign || fact.campaign === filters.campaign) &&
      (!filters.audience || fact.audience === filters.audience) &&
      (!filters.channel || fact.channel === filters.channel) &&
      (filters.category === undefined || fact.category === filters.category),
  );
}

export function expectedTotals(facts: readonly Fact[], question: AnalyticsQuery): Expected {
  const { counts, money } = sum(factsOf(facts, question));
  return { counts, cents: [money[0] / units[0], money[1] / units[1], money[2] / units[2]] };
}

type FactKey = Exclude<Grouping, "week" | "month">;

/** Splits by key. The remaining cents go to the largest remainders, one each, until the rows add up to the total. */
export function expectedRows(
  facts: readonly Fact[],
  question: AnalyticsQuery,
  group: Grouping,
): Map<string | null, Expected> {
  if (group === "week" || group === "month") return expectedIntervals(facts, question, group);
  return expectedParts(facts, question, group);
}

/** The sum of the days of each week from Monday, or of each month, counted day by day. */
function expectedIntervals(facts: readonly Fact[], question: AnalyticsQuery, interval: "week" | "month") {
  const sums = new Map<string | null, Expected>();
  let start = "";
  for (const [day, { counts, cents }] of expectedParts(facts, question, "day")) {
    const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
    if (interval === "month") start = `${day?.slice(0, 7)}-01`;
    else if (isMonday) start = day ?? "";
    else if (start === "") for (start = day ?? ""; new Date(start).getUTCDay() !== 1; ) start = dayBefore(start);
    const sum = sums.get(start) ?? { counts: [0, 0, 0], cents: [0n, 0n, 0n] };
    sums.set(start, {
      counts: [sum.counts[0] + counts[0], sum.counts[1] + counts[1], sum.counts[2] + counts[2]],
      cents: [sum.cents[0] + cents[0], sum.cents[1] + cents[1], sum.cents[2] + cents[2]],
    });
  }
  return sums;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

function expectedParts(facts: readonly Fact[], question: AnalyticsQuery, group: FactKey): Map<string | null, Expected> {
  const parts = new Map<string | null, Fact[]>();
  if (group === "day") {
    for (let day = question.period.from; day <= question.period.to; day = addDays(day, 1)) parts.set(day, []);
  }
  for (const fact of factsOf(facts, question)) parts.set(fact[group], [...(parts.get(fact[group]) ?? []), fact]);
  const sums = [...parts].map(([key, own]) => ({ key, ...sum(own) }));
  const shared = units.map((unit, place) =>
    share(
      sums.map(({ key, money }) => [key, money[place] ?? 0n]),
      unit,
    ),
  );
  return new Map(
    sums.map(({ key, counts }) => [
      key,
      { counts, cents: [shared[0]?.get(key) ?? -1n, shared[1]?.get(key) ?? -1n, shared[2]?.get(key) ?? -1n] },
    ]),
  );
}

function share(amounts: [string | null, bigint][], unit: bigint): Map<string | null, bigint> {
  let over = amounts.reduce((all, [, amount]) => all + amount, 0n) / unit;
  for (const [, amount] of amounts) over -= amount / unit;
  const byRemainder = [...amounts].sort(([one, a], [other, b]) =>
    a % unit === b % unit ? ((one ?? "~") < (other ?? "~") ? -1 : 1) : a % unit > b % unit ? -1 : 1,
  );
  return new Map(byRemainder.map(([key, amount], place) => [key, amount / unit + (BigInt(place) < over ? 1n : 0n)]));
}

function sum(facts: readonly Fact[]): { counts: Expected["counts"]; money: [bigint, bigint, bigint] } {
  const counts: Expected["counts"] = [0, 0, 0];
  const money: [bigint, bigint, bigint] = [0n, 0n, 0n];
  for (const fact of facts) {
    counts[0] += fact.impressions;
    counts[1] += fact.clicks;
    counts[2] += fact.conversions;
    money[0] += fact.spend;
    money[1] += fact.revenue;
    money[2] += fact.earned;
  }
  return { counts, money };
}
