import { refunds, revenueShares, transactions } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import { type LedgerTransactionId, newId, type RefundId, type RevenueShareId, type TransactionId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import type { LedgerPosting } from "../ledger/ledger.ts";
import { type AdvertiserFunds, type Settled, spendLegs, type UnsettledLineItem } from "../ledger/spend-posting.ts";
import { refundChange, splitRefund } from "./refund-amounts.ts";

/** What operators granted of a line item's spend, what of it is in force, and the publisher's part of that. In cents. */
export type GivenBack = { granted: Cents; refunded: Cents; refundedEarnings: Cents };

type RefundedLineItem = UnsettledLineItem & GivenBack & { campaignName: string; revision: number };
type RestatedRefund = { id: RefundId; item: RefundedLineItem; back: Settled; posting: LedgerPosting };

/**
 * What a settlement changes of what was given back of its line item, whose `settledSpend` and `revision` are the new ones: spend
 * that was restated away is given back once, not twice. Undefined where nothing changes; else `funds` is brought up to date.
 */
export function restatedRefund(item: RefundedLineItem, funds: AdvertiserFunds | undefined): RestatedRefund | undefined {
  const amount = refundChange({ ...item, total: item.settledSpend });
  if (amount === 0 || !funds) return undefined;
  const parts = splitRefund({ ...item, settled: item.settledSpend }, amount);
  const back = { spend: toCents(-amount), earnings: toCents(-parts.earnings || 0), fee: toCents(-parts.fee || 0) };
  const id = newId<RefundId>();
  return { id, item, back, posting: { event: "refund", eventKey: `refund/${id}`, legs: spendLegs(item, back, funds) } };
}

/** Their rows, in the transaction of the settlement. There are few: refunds are made by hand. */
export async function writeRestatedRefunds(
  ctx: Ctx,
  input: {
    restated: readonly RestatedRefund[];
    posted: ReadonlyMap<string, LedgerTransactionId>;
    through: CalendarDate;
  },
): Promise<void> {
  const createdAt = ctx.clock();
  for (const { id, item, back, posting } of input.restated) {
    const ledgerTransactionId = input.posted.get(posting.eventKey);
    if (!ledgerTransactionId) throw new Error("a new refund is posted");
    const [amountCents, earningsCents] = [-back.spend, -back.earnings || 0];
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
      spendCents: back.spend,
      earningsCents: back.earnings,
      feeCents: back.fee,
      ledgerTransactionId,
      createdAt,
    });
    await ctx.db.insert(transactions).values({
      id: newId<TransactionId>(),
      accountId: item.advertiserId,
      type: "refund",
      status: "succeeded",
      description: `${item.campaignName}, as its spend was restated`,
      amountCents,
      ledgerTransactionId,
      createdAt,
    });
  }
}
