import type { AccountId } from "../../ids.ts";
import { asCents } from "../../money.ts";
import type { LedgerPosting } from "./ledger.ts";
import type { AdvertiserFunds } from "./spend-posting.ts";

/**
 * Returns the posting by which an advertiser's wallet pays its debt, as far as both go; none without either. `payment`
 * names what filled the wallet, once. Pure.
 */
export function debtPostings(ownerId: AccountId, { wallet, owed }: AdvertiserFunds, payment: string): LedgerPosting[] {
  const paid = Math.min(wallet, owed);
  if (paid <= 0) return [];
  return [
    {
      event: "receivable_settled",
      eventKey: `receivable_settled/${payment}`,
      legs: [
        { account: "advertiser_wallet", ownerId, amount: asCents(paid) },
        { account: "advertiser_receivable", ownerId, amount: asCents(-paid) },
      ],
    },
  ];
}
