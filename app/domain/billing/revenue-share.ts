/** The statuses of a revenue share: pending until its payout is paid. Pure. */
export const revenueShareStatuses = ["pending", "paid"] as const;
export type RevenueShareStatus = (typeof revenueShareStatuses)[number];

/** The orders of a list of revenue shares: of figures, the highest first. */
export const revenueShareSorts = ["newest", "oldest", "spend", "fee", "earnings"] as const;
export type RevenueShareSort = (typeof revenueShareSorts)[number];

/** `pending` on the wire covers all that is not paid out, so it is not called by the word for held earnings. */
export const revenueShareStatusLabels: Record<RevenueShareStatus, string> = { pending: "Not paid out", paid: "Paid" };
