import type { AccountType } from "#app/domain/accounts/account.ts";
import { type MoneyTerm, moneyTerms } from "#app/domain/billing/money-words.ts";

const shownFigures: Record<AccountType, readonly MoneyTerm[]> = {
  advertiser: ["balance", "reserved", "available_funds", "total_ad_spend"],
  publisher: [
    "commission_earned",
    "not_settled",
    "total_earnings",
    "pending",
    "available",
    "in_transit",
    "paid",
    "applied_to_plan",
    "repaid",
  ],
};

/** The figures of money that a side's screens show. */
export function moneyGlossary(portal: AccountType) {
  return shownFigures[portal].map((word) => moneyTerms[word]);
}
