import type { AccountType } from "../../accounts/account.ts";
import type { LedgerEvent } from "../ledger/ledger.ts";

const labels: ReadonlyMap<string, string> = new Map([
  ["top_up", "Top-up"],
  ["invoice_paid", "Invoice payment"],
  ["payout_started", "Payout"],
  ["payout_failed", "Payout returned"],
]);

/** What an event of the ledger is called on a side's statement. Pure. */
export function statementLabel(event: LedgerEvent, side: AccountType): string {
  if (event === "campaign_spend") return side === "advertiser" ? "Campaign spend" : "Earnings";
  return labels.get(event) ?? event.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("_", " ");
}
