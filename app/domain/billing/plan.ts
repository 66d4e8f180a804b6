import { type Cents, toCents } from "../money.ts";

/** The publisher plans (specification, section 9). Pure. */
export const planTypes = ["starter", "professional", "enterprise"] as const;
export type PlanType = (typeof planTypes)[number];

export type Plan = {
  label: string;
  /** A month, US dollars in cents. */
  monthlyAmount: Cents;
  /** Campaigns approved or managed and not completed; undefined is no limit. */
  campaignLimit: number | undefined;
  features: readonly string[];
};

export const plans: Record<PlanType, Plan> = {
  starter: {
    label: "Starter",
    monthlyAmount: toCents(9_900),
    campaignLimit: 5,
    features: ["Up to 5 campaigns", "Basic analytics", "Email support"],
  },
  professional: {
    label: "Professional",
    monthlyAmount: toCents(29_900),
    campaignLimit: 25,
    features: ["Up to 25 campaigns", "Advanced analytics", "Priority support", "Custom audiences"],
  },
  enterprise: {
    label: "Enterprise",
    monthlyAmount: toCents(99_900),
    campaignLimit: undefined,
    features: ["Unlimited campaigns", "Enterprise analytics", "Dedicated support", "Custom integrations"],
  },
};

/** Who is past due keeps the plan while its payment is tried again. */
export const subscriptionStatuses = ["active", "past_due", "canceled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** How many campaigns a publisher without a subscription may have at a time (contract, section 6). */
export const trialCampaignLimit = 1;
