/** A revenue share waits for a payout, or is part of one. Pure. */
export const revenueShareStatuses = ["pending", "paid"] as const;
export type RevenueShareStatus = (typeof revenueShareStatuses)[number];

export const revenueShareStatusLabels: Record<RevenueShareStatus, string> = { pending: "Pending", paid: "Paid" };
