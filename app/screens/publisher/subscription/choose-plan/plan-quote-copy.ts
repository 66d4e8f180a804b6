import { plans } from "#app/domain/billing/plan.ts";
import type { PlanQuote } from "#app/domain/billing/subscription/plan-quote.ts";
import { calendarDateOf, formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";

/** The title of a plan change, used on its page and its button. */
export function planQuoteTitle({ kind, planType }: Pick<PlanQuote, "kind" | "planType">): string {
  const { label } = plans[planType];
  return {
    start: `Start ${label}`,
    upgrade: `Upgrade to ${label}`,
    downgrade: `Change to ${label}`,
    keep: `Keep ${label}`,
  }[kind];
}

export function planQuoteButtonLabel(quote: PlanQuote): string {
  if (quote.amount > 0) return `Pay ${formatCents(quote.amount)}`;
  return quote.kind === "keep" ? "Keep plan" : "Change plan";
}

/**
 * Describes the effect of the plan change in one or two sentences. A renewal on the day of `now` (UTC) is charged
 * today.
 */
export function describePlanQuote(
  { kind, planType, amount, effectiveAt, nextChargeAt, monthlyAmount, days, pricedFrom }: PlanQuote,
  now: Date,
): string {
  const { label } = plans[planType];
  const renewsToday = calendarDateOf(nextChargeAt) <= calendarDateOf(now);
  const next = `${formatCents(monthlyAmount)} ${renewsToday ? "today" : `on ${formatDate(nextChargeAt)}`}, then monthly`;
  switch (kind) {
    case "start":
      return `Your ${label} plan starts when you pay. The next charge is ${next}.`;
    case "upgrade":
      return `${label} starts right away. Today you pay ${formatCents(amount)}: ${pricedFrom ? `the price difference from ${plans[pricedFrom].label}, because the payment for your current plan was reversed` : "the price difference"}, prorated for the ${days?.left} of ${days?.all} days left in your billing period. Your next charge is ${next}.`;
    case "downgrade":
      return `Your current plan stays active until ${formatDate(effectiveAt)}, then changes to ${label}.${renewsToday ? "" : " You pay nothing today."} Your next charge is ${next}. If you run more campaigns than ${label} allows on that date, your plan does not change.`;
    case "keep":
      return `Your plan stays the same${renewsToday ? "" : ", and you pay nothing today"}. Your next charge is ${next}.`;
  }
}

/** Returns the message after the plan change. */
export function planChangeMessage({
  kind,
  planType,
  effectiveAt,
}: Pick<PlanQuote, "kind" | "planType" | "effectiveAt">): string {
  const { label } = plans[planType];
  return kind === "downgrade"
    ? `Your plan changes to ${label} on ${formatDate(effectiveAt)}.`
    : `Your ${label} plan stays active.`;
}
