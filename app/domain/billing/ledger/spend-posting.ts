import type { AccountId, LineItemId } from "../../ids.ts";
import { type Cents, centsOfMicros, shareOf, toCents } from "../../money.ts";
import type { BasisPoints } from "../../rate.ts";
import type { LedgerLeg } from "./ledger.ts";

/** What a line item has spent by the end of a day, and what of it was settled before. */
export type UnsettledLineItem = {
  id: LineItemId;
  advertiserId: AccountId;
  publisherId: AccountId;
  commissionRateBps: BasisPoints;
  /** All it ever spent. */
  spendMicros: bigint;
  settledSpend: Cents;
  settledEarnings: Cents;
};

export type Settled = { spend: Cents; earnings: Cents; fee: Cents };

/**
 * What is to be settled of a line item: whole cents of all it spent less what was settled, and the publisher's part of all
 * of it less its part so far. Rounded over the whole, never over a day, so that cents do not drift; negative where spend
 * was restated downwards. Pure.
 */
export function dueOf(item: UnsettledLineItem): Settled {
  const total = centsOfMicros(item.spendMicros);
  const spend = toCents(total - item.settledSpend);
  const earnings = toCents(shareOf(total, item.commissionRateBps) - item.settledEarnings);
  return { spend, earnings, fee: toCents(spend - earnings) };
}

/** What an advertiser has put in, and what it owes. Both in cents, 0 or more. */
export type AdvertiserFunds = { wallet: Cents; owed: Cents };

/**
 * The legs of a line item's settlement. Spend is taken from the advertiser's wallet as far as it goes, the rest is owed;
 * what comes back makes the debt smaller first. `funds` is brought up to date. Pure but for that.
 */
export function spendLegs(
  { advertiserId, publisherId }: Pick<UnsettledLineItem, "advertiserId" | "publisherId">,
  { spend, earnings, fee }: Settled,
  funds: AdvertiserFunds,
): LedgerLeg[] {
  const owed = spend >= 0 ? Math.max(0, spend - funds.wallet) : Math.max(spend, -funds.owed);
  const paid = spend - owed;
  funds.wallet = toCents(funds.wallet - paid);
  funds.owed = toCents(funds.owed + owed);
  const legs: LedgerLeg[] = [
    { account: "advertiser_wallet", ownerId: advertiserId, amount: toCents(paid) },
    { account: "advertiser_receivable", ownerId: advertiserId, amount: toCents(owed) },
    { account: "publisher_payable", ownerId: publisherId, amount: toCents(-earnings || 0) },
    { account: "platform_fee", amount: toCents(-fee || 0) },
  ];
  return legs.filter(({ amount }) => amount !== 0);
}
