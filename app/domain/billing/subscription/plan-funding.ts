/** What a publisher pays its plan from: a payment method, or what it earned, as far as that covers it. Pure. */
export const planFundings = ["payment_method", "earnings"] as const;
export type PlanFunding = (typeof planFundings)[number];
