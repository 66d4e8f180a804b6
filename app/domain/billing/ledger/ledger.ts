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

/** Those that each advertiser or publisher has one of its own of. Of the others there is one. */
export const ownedLedgerAccountKinds = ["advertiser_wallet", "advertiser_receivable", "publisher_payable"] as const;
export type OwnedLedgerAccountKind = (typeof ownedLedgerAccountKinds)[number];

/** What can happen to money (`money.md` names the accounts of each). */
export const ledgerEvents = [
  "campaign_spend",
  "top_up",
  "debt_paid",
  "invoice_paid",
  "refund",
  "payout_started",
  "payout_settled",
  "payout_failed",
  "payout_returned",
  "subscription",
  "payment_taken_back",
  "payment_reinstated",
] as const;
export type LedgerEvent = (typeof ledgerEvents)[number];

export type LedgerLeg =
  | { account: OwnedLedgerAccountKind; ownerId: AccountId; amount: Cents }
  | { account: Exclude<LedgerAccountKind, OwnedLedgerAccountKind>; ownerId?: undefined; amount: Cents };

/** Something that happened once, with its legs. The same `eventKey` again is the same event. */
export type LedgerPosting = {
  event: LedgerEvent;
  eventKey: string;
  legs: readonly LedgerLeg[];
};
