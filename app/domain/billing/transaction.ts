/** What an account's transaction can be, and how it stands (`money.md`). Pure. */
export const transactionTypes = ["campaign_spend", "refund", "top_up", "subscription", "payout", "adjustment"] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const transactionTypeLabels: Record<TransactionType, string> = {
  campaign_spend: "Campaign spend",
  refund: "Refund",
  top_up: "Top-up",
  subscription: "Subscription",
  payout: "Payout",
  adjustment: "Adjustment",
};

export const transactionStatuses = ["pending", "succeeded", "failed", "canceled"] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];
