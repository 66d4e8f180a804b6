import type { AccountType } from "#app/domain/accounts/account.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import { describeAdjustment } from "../adjustment.ts";
import type { LedgerEvent } from "../ledger/ledger.ts";

const labels: ReadonlyMap<string, string> = new Map([
  ["top_up", "Top-up"],
  ["invoice_paid", "Invoice payment"],
  ["payout_started", "Payout"],
  ["payout_failed", "Payout returned"],
]);

/** Returns the label of a line on the statement of an account of this type. Pure. */
export function statementLabel(
  { event, adjustsMonth }: { event: LedgerEvent; adjustsMonth: CalendarDate | null },
  accountType: AccountType,
): string {
  if (adjustsMonth) return describeAdjustment(adjustsMonth);
  if (event === "campaign_spend") return accountType === "advertiser" ? "Campaign spend" : "Earnings";
  return labels.get(event) ?? event.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("_", " ");
}
