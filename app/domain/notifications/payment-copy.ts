import type { AccountType } from "../accounts/account.ts";
import { formatDay, formatDollars } from "./copy-formats.ts";
import type { AccountNotification, NotificationCopy } from "./notification.ts";

type PaymentEvent = "spend_refunded" | "balance_negative" | "payout_paid" | "payout_failed" | "invoice_issued";

/** Describes a refund, a negative balance, a payout or an invoice to the account. Pure. */
export function describePaymentEvent(
  { event, subjectId, facts }: Pick<AccountNotification, "subjectId" | "facts"> & { event: PaymentEvent },
  reader: AccountType,
): NotificationCopy {
  switch (event) {
    case "spend_refunded":
      if (reader === "publisher") {
        return {
          title: `${formatDollars(facts.earnings)} of earnings was deducted for a refund`,
          lines: [
            `We refunded ${formatDollars(facts.amount)} of spend on “${facts.campaign ?? "A campaign"}” to the advertiser. Your share of it is deducted from your balance, even if it was already paid out.`,
          ],
          action: "View revenue",
          path: "/revenue",
        };
      }
      return {
        title: `${formatDollars(facts.amount)} of spend was refunded`,
        lines: [
          `This is a refund of spend on “${facts.campaign ?? "A campaign"}”. We applied it to what you owed or added it to your wallet.`,
        ],
        action: "View billing",
        path: "/billing?tab=spend",
      };
    case "balance_negative":
      return {
        title: `Your balance is negative by ${formatDollars(facts.amount)}`,
        lines: [
          "Refunds of spend or corrections of delivery exceed the earnings that were not paid out yet. Your next earnings cover this amount. Payouts continue after that.",
        ],
        action: "View revenue",
        path: "/revenue",
      };
    case "payout_paid":
      return {
        title: `Your payout of ${formatDollars(facts.amount)} arrived`,
        lines: ["See every line item in the statement."],
        action: "View statement",
        path: `/revenue/payouts/${subjectId}`,
      };
    case "payout_failed":
      return {
        title: `Your payout of ${formatDollars(facts.amount)} failed`,
        lines: ["The amount is back in your balance. Check your bank account details, then request the payout again."],
        quote: facts.reason,
        action: "View revenue",
        path: "/revenue",
      };
    case "invoice_issued":
      return {
        title: `${facts.invoice ? `Invoice ${facts.invoice}` : "An invoice"} for ${formatDollars(facts.amount)}`,
        lines: [
          `Payment is due on ${formatDay(facts) ?? "the due date on the invoice"}. The invoice lists the spend of each campaign.`,
        ],
        action: "View invoice",
        path: `/billing/invoices/${subjectId}`,
      };
  }
}
