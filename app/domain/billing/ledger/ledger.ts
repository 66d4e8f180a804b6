import type { CalendarMonth } from "../../calendar-month.ts";
import type { AccountId } from "../../ids.ts";
import type { Cents } from "../../money.ts";

/**
 * The accounts of the double-entry ledger. An amount is positive as a debit and negative as a credit, so that every
 * transaction and all accounts together sum to zero.
 */
export const ledgerAccountKinds = [
  "cash",
  "advertiser_wallet",
  "advertiser_receivable",
  "publisher_payable",
  "in_transit",
  "platform_fee",
  "subscription_revenue",
] as const;
export type LedgerAccountKind = (typeof ledgerAccountKinds)[number];

/** The kinds with one account per advertiser or publisher. Of every other kind there is one account. */
export const ownedLedgerAccountKinds = ["advertiser_wallet", "advertiser_receivable", "publisher_payable"] as const;
export type OwnedLedgerAccountKind = (typeof ownedLedgerAccountKinds)[number];

/** The events that post to the ledger. */
export const ledgerEvents = [
  "campaign_spend",
  "top_up",
  "receivable_settled",
  "invoice_paid",
  "refund",
  "payout_started",
  "payout_settled",
  "payout_failed",
  "payout_returned",
  "repayment",
  "repayment_reversed",
  "balance_returned",
  "balance_return_reversed",
  "subscription",
  "payment_reversed",
  "payment_reinstated",
] as const;
export type LedgerEvent = (typeof ledgerEvents)[number];

export type LedgerLeg =
  | { account: OwnedLedgerAccountKind; ownerId: AccountId; amount: Cents }
  | { account: Exclude<LedgerAccountKind, OwnedLedgerAccountKind>; ownerId?: undefined; amount: Cents };

/** An event that is posted once, with its legs. The same `eventKey` means the same event. */
export type LedgerPosting = {
  event: LedgerEvent;
  eventKey: string;
  /** The closed month that a settlement adjusts. */
  adjustsMonth?: CalendarMonth | null;
  legs: readonly LedgerLeg[];
};
