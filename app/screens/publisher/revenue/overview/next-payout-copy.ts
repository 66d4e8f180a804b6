import type { PayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { minimumPayout } from "#app/domain/billing/payouts/payout.ts";
import type { PayoutAccountStatus } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatCents, formatCentsShort } from "#app/domain/money.ts";
import { stripeAccountCopy } from "#app/screens/publisher/revenue/stripe-account-copy.ts";

type Payout = {
  balance: Pick<PayoutBalance, "available" | "inTransit"> & {
    next: Pick<PayoutBalance["next"], "amount" | "keptForPlan">;
  };
  hasAccount: boolean;
  /** The status of the Stripe account; null if the publisher has not started onboarding. */
  accountStatus: PayoutAccountStatus | null;
};

/** Says when earnings are paid out or why they cannot be requested, and what of them stays in the balance. */
export function nextPayoutCopy(payout: Payout): string {
  const { amount, keptForPlan } = payout.balance.next;
  const sentences = [
    payoutBlockedReason(payout) ??
      "Available earnings are paid out on the first of each month (UTC), or right away when you request a payout.",
  ];
  if (keptForPlan > 0) {
    sentences.push(`${formatCents(keptForPlan)} stays in your balance for your plan's next payment.`);
  }
  const isAllKept = keptForPlan > 0 && amount <= 0;
  if (amount < minimumPayout && !isAllKept) {
    sentences.push(`Balances below ${formatCentsShort(minimumPayout)} carry over to the next month.`);
  }
  return sentences.join(" ");
}

/** Returns why there is no payout button. */
function payoutBlockedReason({ hasAccount, accountStatus, balance: { inTransit, available } }: Payout) {
  if (!hasAccount && accountStatus) return `${stripeAccountCopy(accountStatus).title}.`;
  if (!hasAccount) return "Add a bank account to receive payouts.";
  if (inTransit > 0) return "A payout is in transit. You can request the next one after it arrives.";
  return available < minimumPayout
    ? `You can request a payout once ${formatCentsShort(minimumPayout)} is available.`
    : undefined;
}
