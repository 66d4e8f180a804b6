import type { AccountType } from "#app/domain/accounts/account.ts";
import type { LedgerEvent } from "../ledger/ledger.ts";

const labels: ReadonlyMap<string, string> = new Map([
  ["top_up", "Top-up"],
  ["invoice_paid", "Invoice payment"],
  ["payout_started", "Payout"],
  ["payout_failed", "Payout returned"],
]);

/** Returns the label of a ledger event on the statement of an account of this type. Pure. */
export function statementLabel(event: LedgerEvent, accountType: AccountType): string {
  if (event === "campaign_spend") return accountType === "advertiser" ? "Campaign spend" : "Earnings";
  return labels.get(event) ?? event.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("_", " ");
}
