import type { AccountId, LineItemId } from "../../ids.ts";
import { asCents, type Cents, microsToCents, shareOf } from "../../money.ts";
import type { BasisPoints } from "../../rate.ts";
import type { LedgerLeg } from "./ledger.ts";

/** The spend of a line item through a day, and the part that is already settled. */
export type UnsettledLineItem = {
  id: LineItemId;
  advertiserId: AccountId;
  publisherId: AccountId;
  commissionRateBps: BasisPoints;
  /** The total spend in micros. */
  spendMicros: bigint;
  settledSpend: Cents;
  settledEarnings: Cents;
};

export type SettlementAmounts = { spend: Cents; earnings: Cents; fee: Cents };

/**
 * Returns what remains to be settled of a line item, in cents: its total spend in whole cents less the settled spend,
 * and the publisher's share of the total less its settled share. Rounding applies to totals rather than days, so that
 * cents do not drift. Negative where spend was restated downward. Pure.
 */
export function unsettledAmounts(item: UnsettledLineItem): SettlementAmounts {
  const total = microsToCents(item.spendMicros);
  const spend = asCents(total - item.settledSpend);
  const earnings = asCents(shareOf(total, item.commissionRateBps) - item.settledEarnings);
  return { spend, earnings, fee: asCents(spend - earnings) };
}

/** An advertiser's wallet balance and debt, in cents, 0 or more. */
export type AdvertiserFunds = { wallet: Cents; owed: Cents };

/**
 * Returns the ledger legs of a line item's settlement. Spend is charged to the advertiser's wallet; the part that the
 * wallet does not cover becomes debt. Returned spend reduces the debt first. Updates `funds`. Otherwise pure.
 */
export function spendLegs(
  { advertiserId, publisherId }: Pick<UnsettledLineItem, "advertiserId" | "publisherId">,
  { spend, earnings, fee }: SettlementAmounts,
  funds: AdvertiserFunds,
): LedgerLeg[] {
  const owed = spend >= 0 ? Math.max(0, spend - funds.wallet) : Math.max(spend, -funds.owed);
  const paid = spend - owed;
  funds.wallet = asCents(funds.wallet - paid);
  funds.owed = asCents(funds.owed + owed);
  const legs: LedgerLeg[] = [
    { account: "advertiser_wallet", ownerId: advertiserId, amount: asCents(paid) },
    { account: "advertiser_receivable", ownerId: advertiserId, amount: asCents(owed) },
    { account: "publisher_payable", ownerId: publisherId, amount: asCents(-earnings || 0) },
    { account: "platform_fee", amount: asCents(-fee || 0) },
  ];
  return legs.filter(({ amount }) => amount !== 0);
}
