import { refunds, revenueShares, transactions } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import { type LedgerTransactionId, newId, type RefundId, type RevenueShareId, type TransactionId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents } from "../../money.ts";
import type { LedgerPosting } from "../ledger/ledger.ts";
import {
  type AdvertiserFunds,
  type SettlementAmounts,
  spendLegs,
  type UnsettledLineItem,
} from "../ledger/spend-posting.ts";
import { refundAdjustment, splitRefund } from "./refund-amounts.ts";

/**
 * The refunds of a line item, in cents: granted by operators, currently in effect, and the publisher's share of the
 * latter.
 */
export type RefundTotals = { operatorRefunded: Cents; refunded: Cents; refundedEarnings: Cents };

type RefundedLineItem = UnsettledLineItem & RefundTotals & { campaignName: string; revision: number };
type RestatedRefund = { id: RefundId; item: RefundedLineItem; negated: SettlementAmounts; posting: LedgerPosting };

/**
 * Returns the refund that adjusts a line item's refunds to its restated spend, so that spend that was restated away is
 * not refunded twice. `item` has the new `settledSpend` and `revision`. Undefined when nothing changes; otherwise
 * updates `funds`.
 */
export function restateRefund(item: RefundedLineItem, funds: AdvertiserFunds | undefined): RestatedRefund | undefined {
  const amount = refundAdjustment({ ...item, total: item.settledSpend });
  if (amount === 0 || !funds) return undefined;
  const shares = splitRefund({ ...item, settled: item.settledSpend }, amount);
  const negated = { spend: asCents(-amount), earnings: asCents(-shares.earnings || 0), fee: asCents(-shares.fee || 0) };
  const id = newId<RefundId>();
  return {
    id,
    item,
    negated,
    posting: { event: "refund", eventKey: `refund/${id}`, legs: spendLegs(item, negated, funds) },
  };
}

/**
 * Inserts the rows of restated refunds, within the settlement's transaction. There are few, because refunds are manual.
 */
export async function writeRestatedRefunds(
  ctx: Ctx,
  input: {
    restated: readonly RestatedRefund[];
    posted: ReadonlyMap<string, LedgerTransactionId>;
    through: CalendarDate;
  },
): Promise<void> {
  const createdAt = ctx.clock();
  for (const { id, item, negated, posting } of input.restated) {
    const ledgerTransactionId = input.posted.get(posting.eventKey);
    invariant(ledgerTransactionId, "refund was not posted", { id });
    const [amountCents, earningsCents] = [-negated.spend, -negated.earnings || 0];
    const { id: lineItemId, publisherId, revision } = item;
    await ctx.db
      .insert(refunds)
      .values({ id, lineItemId, revision, amountCents, earningsCents, ledgerTransactionId, createdAt });
    await ctx.db.insert(revenueShares).values({
      id: newId<RevenueShareId>(),
      publisherId,
      lineItemId,
      refundId: id,
      settledThrough: input.through,
      spendCents: negated.spend,
      earningsCents: negated.earnings,
      feeCents: negated.fee,
      ledgerTransactionId,
      createdAt,
    });
    await ctx.db.insert(transactions).values({
      id: newId<TransactionId>(),
      accountId: item.advertiserId,
      type: "refund",
      status: "succeeded",
      description: `${item.campaignName}: spend restated`,
      amountCents,
      ledgerTransactionId,
      createdAt,
    });
  }
}
