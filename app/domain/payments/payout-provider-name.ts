/** The payout providers: the built-in sandbox, and Stripe. */
export const payoutProviders = ["sandbox", "stripe"] as const;
export type PayoutProviderName = (typeof payoutProviders)[number];
