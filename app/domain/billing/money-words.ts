import { holdDays } from "./payouts/payout.ts";

/**
 * The figures of money, each defined once: what it means and how it is computed. Every screen shows a figure under this
 * label, and its definition beside it. Pure.
 */
export const moneyTerms = {
  commission_earned: {
    label: "Commission earned",
    definition: "Your commission on everything delivered so far, including days that are not settled yet.",
    computation: "For each campaign, spend on your audiences × your commission rate, rounded down to the cent.",
  },
  not_settled: {
    label: "Not settled yet",
    definition: "Commission on days whose spend is not posted to the books yet. A day is settled after it ends (UTC).",
    computation: "Commission earned minus the earnings of all settlements.",
  },
  total_earnings: {
    label: "Total earnings",
    definition: "Your share of settled spend, less refunds.",
    computation:
      "Commission earned minus what is not settled yet and minus refunds. It is also pending + available + in transit + paid + applied to your plan − what you repaid.",
  },
  pending: {
    label: "Pending",
    definition: `Held for ${holdDays} days after the settled day, because reports can still be corrected.`,
    computation: "Settled earnings in no payout whose hold is not over.",
  },
  available: {
    label: "Available",
    definition:
      "Released earnings that no payout includes yet. Negative when refunds or corrections exceed new earnings.",
    computation:
      "Settled earnings in no payout whose hold is over, less plan payments that were deducted from them, plus what you repaid.",
  },
  in_transit: {
    label: "In transit",
    definition: "Sent to your bank account and not confirmed yet.",
    computation: "The amounts of payouts that are pending or in transit.",
  },
  paid: {
    label: "Paid",
    definition: "Arrived at your bank account.",
    computation: "The amounts of paid payouts.",
  },
  applied_to_plan: {
    label: "Applied to your plan",
    definition: "Earnings that paid for your plan instead of being paid out.",
    computation: "The plan payments that were deducted from earnings.",
  },
  repaid: {
    label: "Repaid",
    definition: "What you transferred to us to settle a negative balance.",
    computation: "The repayments that we received.",
  },
  balance: {
    label: "Balance",
    definition: "The money in your wallet less what you owe. Negative when you owe more.",
    computation: "Top-ups and refunds minus settled spend.",
  },
  reserved: {
    label: "Reserved",
    definition: "What your campaigns have spent or can still spend today, before it is settled.",
    computation:
      "Unsettled spend plus, for each campaign that can deliver, the lower of its remaining daily and total budget.",
  },
  available_funds: {
    label: "Available",
    definition: "What is left for new campaigns. Campaigns are on hold when nothing is left after unsettled spend.",
    computation: "Balance plus your credit limit minus reserved, 0 or more.",
  },
  spend: {
    label: "Spend",
    definition: "What delivery cost, including days that are not settled yet.",
    computation:
      "The cost of each reported impression, by day (UTC). Total ad spend in Billing counts settled days alone, and refunds are separate transactions.",
  },
  revenue: {
    label: "Revenue",
    definition: "Sales that channels attribute to your ads. It is not paid through your account.",
    computation: "The sum of the order values that channels report.",
  },
  roas: {
    label: "ROAS",
    definition: "Return on ad spend: revenue for each dollar spent.",
    computation: "Revenue ÷ spend.",
  },
  cpm: {
    label: "CPM",
    definition: "What a thousand impressions cost.",
    computation: "Spend ÷ impressions × 1,000.",
  },
  period_earnings: {
    label: "Earnings",
    definition: "Your commission on what was delivered in the days shown, including days that are not settled yet.",
    computation: "Spend of these days on your audiences × your commission rate.",
  },
  earned_cpm: {
    label: "eCPM",
    definition: "What a thousand impressions earned you.",
    computation: "Earnings ÷ impressions × 1,000.",
  },
  opening_balance: {
    label: "Opening balance",
    definition: "The money of your account before the month's first transaction.",
    computation: "The sum of all earlier transactions. It is the closing balance of the month before.",
  },
  closing_balance: {
    label: "Closing balance",
    definition: "The money of your account after the month's last transaction, or now if the month is not over.",
    computation: "Opening balance plus the month's transactions.",
  },
  amount_due: {
    label: "Amount due",
    definition: "What is still to pay on an invoice.",
    computation: "The invoice's amount less payments and credits.",
  },
  total_ad_spend: {
    label: "Total ad spend",
    definition: "What your campaigns cost, settled through yesterday (UTC).",
    computation: "The sum of succeeded campaign spend transactions. Refunds are separate transactions.",
  },
} as const satisfies Record<string, { label: string; definition: string; computation: string }>;

export type MoneyTerm = keyof typeof moneyTerms;

/** A figure's label, what it means and how it is computed. */
export type MoneyDefinition = (typeof moneyTerms)[MoneyTerm];

/** Returns the definitions of a page's figures; a loader sends them where all of them would be too much script. */
export function moneyDefinitionsOf(terms: readonly MoneyTerm[]): MoneyDefinition[] {
  return terms.map((term) => moneyTerms[term]);
}
