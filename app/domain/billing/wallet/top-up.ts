import { type Cents, toCents } from "../../money.ts";

/** The vocabulary of top-ups. Pure. */
export const topUpStatuses = ["pending", "needs_confirmation", "succeeded", "failed", "canceled"] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];

/** What one top-up may be, in cents. */
export const topUpLimits = { least: toCents(1_000), most: toCents(10_000_000) } as const;

/** Offered beside the field. */
export const quickAmounts: readonly Cents[] = [50_000, 100_000, 250_000, 500_000].map(toCents);

/** What may come after what. Money that came in is booked whatever was thought before; nothing leaves `succeeded`. */
export const topUpTransitions: Record<TopUpStatus, readonly TopUpStatus[]> = {
  pending: ["needs_confirmation", "succeeded", "failed", "canceled"],
  needs_confirmation: ["succeeded", "failed", "canceled"],
  succeeded: [],
  failed: ["succeeded"],
  canceled: ["succeeded"],
};
