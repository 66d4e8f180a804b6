import type { AccountType } from "#app/domain/accounts/account.ts";
import { minimumPayout } from "#app/domain/billing/payouts/payout.ts";
import { formatCentsShort } from "#app/domain/money.ts";

/** The erasure of a person's data, and with the last person of an account the closing of the account. Pure. */

/** From the request until it is carried out, so that it can be canceled. */
export const erasureDelayDays = 7;

export const erasureRequesters = ["person", "operator"] as const;
export type ErasureRequester = (typeof erasureRequesters)[number];

/** What an account has to end before it can be closed. */
export const erasureBlockers = ["running_campaigns", "balance", "debt", "earnings", "plan", "payments"] as const;
export type ErasureBlocker = (typeof erasureBlockers)[number];

/** Describes what an account of this type has to end, and how; a suspended one has no access to its pages. */
export function describeErasureBlocker(
  blocker: ErasureBlocker,
  type: AccountType,
  { isSuspended = false }: { isSuspended?: boolean } = {},
): string {
  const text = (isSuspended && suspendedTexts[blocker]) || texts[blocker];
  return typeof text === "string" ? text : text[type];
}

const openPayment =
  "A payment is processing or waits for your confirmation. One that is not confirmed is canceled after a day.";

const texts: Record<ErasureBlocker, string | Record<AccountType, string>> = {
  running_campaigns: {
    advertiser:
      "Campaigns can still run or are under review. Pause each of them on the My Campaigns page, also those that publishers have paused. If one is under review, wait for the decision or until its end date has passed.",
    publisher:
      "Campaigns can still run or need your review. Approve or reject those that need it. Then go to the Manage Campaigns page, restore archived ones, select all that have not ended, also those that the advertiser has paused, and choose Pause.",
  },
  balance: "Your wallet has a balance. Reply to any of our emails to have it returned.",
  debt: {
    advertiser: "Spend is not settled or invoiced amounts are not paid yet.",
    publisher:
      "Your balance is negative, because spend was refunded or corrected after it was paid out to you. Earnings to come are deducted from it. If there are none, reply to any of our emails.",
  },
  earnings: `Earnings are not paid out yet. Request a payout on the Revenue page. If less than ${formatCentsShort(minimumPayout)} is left, reply to any of our emails to have it paid out.`,
  plan: "Your plan is active. Cancel it on the Billing page; it ends with its paid period.",
  payments: {
    advertiser: openPayment,
    publisher: `${openPayment} Your bank can return a payout up to two weeks after it arrived: wait until then.`,
  },
};

const suspendedTexts: Partial<Record<ErasureBlocker, string>> = {
  running_campaigns:
    "Campaigns can still run or are under review. Wait until the end dates of all of them have passed, or reply to any of our emails to have them ended sooner.",
  earnings: "Earnings are not paid out yet. Reply to any of our emails to have them paid out.",
  plan: "Your plan is active. Reply to any of our emails to have it canceled; it ends with its paid period.",
};
