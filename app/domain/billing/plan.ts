import { asCents, type Cents } from "../money.ts";

/** The plans of publishers. Pure. */
export const planTypes = ["starter", "professional", "enterprise"] as const;
export type PlanType = (typeof planTypes)[number];

export type Plan = {
  label: string;
  /** The price per month, in cents. */
  monthlyAmount: Cents;
  /** The maximum number of campaigns that are approved or managed and not completed; undefined means unlimited. */
  campaignLimit: number | undefined;
  features: readonly string[];
};

export const plans: Record<PlanType, Plan> = {
  starter: {
    label: "Starter",
    monthlyAmount: asCents(9_900),
    campaignLimit: 5,
    features: ["Up to 5 campaigns", "Basic analytics", "Email support"],
  },
  professional: {
    label: "Professional",
    monthlyAmount: asCents(29_900),
    campaignLimit: 25,
    features: ["Up to 25 campaigns", "Advanced analytics", "Priority support", "Custom audiences"],
  },
  enterprise: {
    label: "Enterprise",
    monthlyAmount: asCents(99_900),
    campaignLimit: undefined,
    features: ["Unlimited campaigns", "Enterprise analytics", "Dedicated support", "Custom integrations"],
  },
};

/** Says what a plan adds to the one below it, or to no plan, in campaigns at a time. */
export function describePlanGain(plan: PlanType): string {
  const below = planTypes[planTypes.indexOf(plan) - 1];
  const { campaignLimit } = plans[plan];
  const belowLimit = below ? plans[below].campaignLimit : trialCampaignLimit;
  const than = below ? `${plans[below].label}'s ${belowLimit}` : `${belowLimit} without a plan`;
  return campaignLimit === undefined
    ? `As many campaigns at a time as you like, instead of ${than}`
    : `${campaignLimit} campaigns at a time, instead of ${than}`;
}

/** A past-due subscription keeps its plan while the payment is retried. */
export const subscriptionStatuses = ["active", "past_due", "canceled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The maximum number of campaigns at a time for a publisher without a subscription. */
export const trialCampaignLimit = 1;
