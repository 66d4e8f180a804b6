import type { AccountType } from "../accounts/account.ts";
import { asCents, type Cents } from "../money.ts";

/** The types and statuses of an account's transactions. Pure. */
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

/** The orders of a list of transactions; amounts sort as they are shown, signed. */
export const transactionSorts = ["newest", "oldest", "amount", "amount_low"] as const;
export type TransactionSort = (typeof transactionSorts)[number];

/**
 * Returns the amount in cents as the change of the account's money, signed as on its statements: spend, plans and
 * payouts are negative; top-ups, refunds and returned payouts positive. Stored amounts and those on the wire count a
 * publisher's payments, and an advertiser's spend, as positive.
 */
export function signedAmount({ type, amount }: { type: TransactionType; amount: Cents }, side: AccountType): Cents {
  return asCents(side === "publisher" || type === "campaign_spend" ? -amount || 0 : amount);
}
