import { plans } from "#app/domain/billing/plan.ts";
import type { PlanQuote } from "#app/domain/billing/subscription/plan-quote.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";

/** What the choice of a plan is called, on its page and its button. */
export function titleOf({ kind, planType }: Pick<PlanQuote, "kind" | "planType">): string {
  const { label } = plans[planType];
  return {
    start: `Start ${label}`,
    upgrade: `Upgrade to ${label}`,
    downgrade: `Change to ${label}`,
    keep: `Keep ${label}`,
  }[kind];
}

export function buttonOf(quote: PlanQuote): string {
  if (quote.amount > 0) return `Pay ${formatCents(quote.amount)}`;
  return quote.kind === "keep" ? "Keep plan" : "Change plan";
}

/** What it does, in a sentence or two. */
export function sayWhat({ kind, planType, amount, effectiveAt, nextChargeAt, monthlyAmount, days }: PlanQuote): string {
  const { label } = plans[planType];
  const next = `${formatCents(monthlyAmount)} on ${formatDate(nextChargeAt)}, and then each month`;
  switch (kind) {
    case "start":
      return `${label} begins with this payment. The next one is ${next}.`;
    case "upgrade":
      return `${label} holds at once. You pay ${formatCents(amount)} now: of the difference between the two prices the part of the ${days?.left} of ${days?.all} days that are left of your period. Then you pay ${next}.`;
    case "downgrade":
      return `You keep your plan until ${formatDate(effectiveAt)}, and nothing is charged now. From then on it is ${label}: you pay ${next}. Campaigns that run then have to fit into it, or your plan stays.`;
    case "keep":
      return `Your plan goes on as it is, and nothing is charged now. You pay ${next}.`;
  }
}

/** What is said when it is done. */
export function sayDone({ kind, planType, effectiveAt }: Pick<PlanQuote, "kind" | "planType" | "effectiveAt">): string {
  const { label } = plans[planType];
  return kind === "downgrade"
    ? `From ${formatDate(effectiveAt)} on your plan is ${label}.`
    : `Your ${label} plan goes on as it is.`;
}
