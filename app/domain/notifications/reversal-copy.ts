import type { AccountType } from "../accounts/account.ts";
import { formatDollars } from "./copy-formats.ts";
import type { AccountNotification, NotificationCopy } from "./notification.ts";

/** Describes a reversed or reinstated payment to the account. Pure. */
export function describeReversal(
  { event, facts }: Pick<AccountNotification, "facts"> & { event: "payment_reversed" | "payment_reinstated" },
  reader: AccountType,
): NotificationCopy {
  const amount = formatDollars(facts.amount);
  const page = {
    action: "View billing",
    path: reader === "advertiser" ? "/billing" : "/billing?tab=subscription",
  } as const;
  if (event === "payment_reinstated") {
    return {
      title: `Your payment of ${amount} was reinstated`,
      lines: [
        facts.isDispute
          ? "The dispute was closed and the payment is valid again."
          : "The refund could not be completed.",
        reinstatedLine[reader],
      ],
      ...page,
    };
  }
  return {
    title: facts.isDispute ? `Payment of ${amount} reversed` : `${amount} of your payment was refunded`,
    lines: [
      facts.isDispute ? "Your bank disputed this payment." : "The refund goes to the payment method you used.",
      reversedLine[reader],
    ],
    ...page,
  };
}

const reversedLine: Record<AccountType, string> = {
  advertiser:
    "We deducted the amount from your wallet, or reopened the invoice it paid. If your balance doesn't cover it, you owe the rest and your campaigns are on hold until it is paid.",
  publisher:
    "If your current plan is not paid any more, the Subscription tab says what is due and lets you pay it with any payment method. A past billing period is not charged again.",
};
const reinstatedLine: Record<AccountType, string> = {
  advertiser: "The amount is back in your wallet or was applied to what you owe.",
  publisher: "If your plan was past due because of it, the plan is active again.",
};
