import { plans } from "#app/domain/billing/plan.ts";
import { centsToDollars, formatCents } from "#app/domain/money.ts";

const { starter, professional, enterprise } = plans;

/** The plans' prices per month, in cents. */
export const planCents = {
  starter: starter.monthlyAmount,
  professional: professional.monthlyAmount,
  enterprise: enterprise.monthlyAmount,
};

/** The plans' prices per month, in dollars. */
export const planDollars = {
  starter: centsToDollars(planCents.starter),
  professional: centsToDollars(planCents.professional),
  enterprise: centsToDollars(planCents.enterprise),
};

/** The plans' prices per month as an amount due: `$99.00`. */
export const planPrices = {
  starter: formatCents(planCents.starter),
  professional: formatCents(planCents.professional),
  enterprise: formatCents(planCents.enterprise),
};
