import { asCents, type Cents } from "../../money.ts";

/** The statuses and limits of top-ups. Pure. */
export const topUpStatuses = ["pending", "needs_confirmation", "succeeded", "failed", "canceled"] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];

/** The minimum and maximum of a top-up, in cents. */
export const topUpLimits = { min: asCents(1_000), max: asCents(10_000_000) } as const;

/** The message for a payment that failed without a reason of its own. */
export const notCompletedMessage = "The payment was not completed. You were not charged. Try again.";

/** The amounts of the quick-select buttons, in cents. */
export const quickAmounts: readonly Cents[] = [50_000, 100_000, 250_000, 500_000].map(asCents);

/**
 * The allowed transitions. A received payment is always posted, so `failed` and `canceled` can still succeed;
 * `succeeded` is final.
 */
export const topUpTransitions: Record<TopUpStatus, readonly TopUpStatus[]> = {
  pending: ["needs_confirmation", "succeeded", "failed", "canceled"],
  needs_confirmation: ["succeeded", "failed", "canceled"],
  succeeded: [],
  failed: ["succeeded"],
  canceled: ["succeeded"],
};
