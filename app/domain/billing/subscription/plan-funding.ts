/** How a publisher pays for its plan: with a payment method, or from earnings as far as they cover it. Pure. */
export const planFundings = ["payment_method", "earnings"] as const;
export type PlanFunding = (typeof planFundings)[number];
