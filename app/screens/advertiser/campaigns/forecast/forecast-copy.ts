import type { ForecastLimit } from "#app/domain/campaigns/forecast.ts";
import { asCents, type Cents, formatCentsShort } from "#app/domain/money.ts";
import { formatCount } from "#app/ui/format.ts";

type Range<Value extends number> = { from: Value; to: Value };

/** Formats `450,000 – 630,000`: two significant digits, the range never narrower than the forecast. */
export function formatCountRange({ from, to }: Range<number>): string {
  return formatRange(roundDown(from), roundUp(to), formatCount);
}

/** The same for amounts, in whole dollars from $10 on. A bound that is a budget stays as it was entered. */
export function formatCostRange({ from, to }: Range<Cents>, budgets: readonly Cents[]): string {
  const shown = (cents: Cents, round: (value: number) => number): Cents =>
    budgets.includes(cents) ? cents : asCents(cents < 1_000 ? cents : round(cents / 100) * 100);
  return formatRange(shown(from, roundDown), shown(to, roundUp), (value) => formatCentsShort(asCents(value)));
}

function formatRange(from: number, to: number, format: (value: number) => string): string {
  return from === to ? format(to) : `${format(from)} – ${format(to)}`;
}

function roundDown(value: number): number {
  const unit = unitOf(value);
  return Math.floor(value / unit) * unit;
}

function roundUp(value: number): number {
  const unit = unitOf(value);
  return Math.ceil(value / unit) * unit;
}

function unitOf(value: number): number {
  return Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, value))) - 1));
}

/** What limits the forecast, and what to do about it. */
export const forecastLimitCopy: Record<ForecastLimit, string> = {
  total_budget: "Limited by the total budget. Your audiences can deliver more.",
  daily_budget:
    "Limited by the daily budget, which doesn't spend the total budget in this flight. Raise it or extend the flight.",
  audience:
    "Limited by audience size and frequency cap: the budget can't be spent in full. Add audiences, raise the cap or extend the flight.",
  audience_or_budget: "Limited by the budget or by audience size, depending on how many people the channels find.",
};
