import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { campaigns, lineItemSettlements, lineItems, refunds, revenueShares, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { invalidInput, notFound } from "../../errors.ts";
import { type LineItemId, newId, type RefundId, type RevenueShareId, type TransactionId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents, formatCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { spendLegs } from "../ledger/spend-posting.ts";
import { notifyOfNegativeBalances } from "../payouts/notify-of-negative-balances.server.ts";
import { syncFundsHolds } from "../wallet/sync-funds-holds.server.ts";
import { type Refundable, refundableAmount, splitRefund } from "./refund-amounts.ts";

/**
 * Refunds spend of a line item to the advertiser, requested by an operator: the refund reduces the advertiser's debt
 * first, and the rest goes into its wallet. The publisher's share becomes a negative revenue share, even if the
 * original was already paid out. Throws `not_found`, and `invalid_input` for more than the refundable amount.
 */
export async function refundSpend(
  ctx: Ctx<OperatorActor>,
  { lineItemId, amount }: { lineItemId: LineItemId; amount: Cents },
): Promise<{ id: RefundId; amount: Cents; earnings: Cents; fee: Cents }> {
  const { advertiserId, ...refund } = await inTransaction(ctx, async (tx) => {
    const item = await lockRefundable(tx, lineItemId);
    const refundable = refundableAmount(item);
    if (amount <= 0)
      throw invalidInput({ amount: ["Enter an amount greater than $0"] }, "Enter an amount greater than $0");
    if (amount > refundable) {
      const message = `You can refund up to ${formatCents(refundable)} of this line item`;
      throw invalidInput({ amount: [message] }, message);
    }
    const { earnings, fee } = splitRefund(item, amount);
    const { advertiserId, publisherId } = item;
    const accounts = await lockLedgerAccounts(tx, [
      { account: "advertiser_wallet", ownerId: advertiserId },
      { account: "advertiser_receivable", ownerId: advertiserId },
      { account: "publisher_payable", ownerId: publisherId },
      { account: "platform_fee" },
    ]);
    const [id, at] = [newId<RefundId>(), tx.clock()];
    const negated = { spend: asCents(-amount), earnings: asCents(-earnings || 0), fee: asCents(-fee || 0) };
    const legs = spendLegs(item, negated, toAdvertiserFunds(advertiserId, accounts));
    const eventKey = `refund/${id}`;
    const postings = [{ event: "refund" as const, eventKey, legs }];
    const posted = await postToLedger(tx, { postings, accounts });
    const ledgerTransactionId = posted.get(eventKey);
    invariant(ledgerTransactionId, "refund was not posted", { id });
    await tx.db.insert(refunds).values({
      id,
      lineItemId,
      amountCents: amount,
      earningsCents: earnings,
      ledgerTransactionId,
      createdAt: at,
    });
    await tx.db.insert(revenueShares).values({
      id: newId<RevenueShareId>(),
      publisherId,
      lineItemId,
      refundId: id,
      settledThrough: calendarDateOf(at),
      spendCents: negated.spend,
      earningsCents: negated.earnings,
      feeCents: negated.fee,
      ledgerTransactionId,
      createdAt: at,
    });
    await tx.db.insert(transactions).values({
      id: newId<TransactionId>(),
      accountId: advertiserId,
      type: "refund",
      status: "succeeded",
      description: item.campaignName,
      amountCents: amount,
      ledgerTransactionId,
      createdAt: at,
    });
    await recordAudit(tx, {
      action: "line_item.refunded",
      entity: "line_item",
      entityId: lineItemId,
      campaignId: item.campaignId,
      ownerId: advertiserId,
      accountId: publisherId,
      after: { refund_id: id, amount: amount / 100 },
      notificationFacts: { earnings: earnings / 100 },
    });
    await notifyOfNegativeBalances(tx, { postings, accounts });
    return { id, amount, earnings, fee, advertiserId };
  });
  await syncFundsHolds(ctx, [advertiserId]);
  return refund;
}

/** Locks the line item against settlements and other refunds, then reads its refundable amounts. */
async function lockRefundable(ctx: Ctx<OperatorActor>, id: LineItemId) {
  await ctx.db.select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.id, id)).for("no key update");
  const [row] = await ctx.db
    .select({
      campaignId: campaigns.id,
      advertiserId: campaigns.advertiserId,
      publisherId: lineItems.publisherId,
      campaignName: lineItems.campaignName,
      commissionRateBps: lineItems.commissionRateBps,
      settled: sqlValue(z.string(), sql`coalesce(${lineItemSettlements.spendCents}, 0)::text`),
      refunded: sqlValue(
        z.string(),
        sql`(select coalesce(sum(given.amount_cents), 0) from refunds given where given.line_item_id = ${lineItems.id})::text`,
      ),
      refundedEarnings: sqlValue(
        z.string(),
        sql`(select coalesce(sum(given.earnings_cents), 0) from refunds given where given.line_item_id = ${lineItems.id})::text`,
      ),
    })
    .from(lineItems)
    .innerJoin(campaigns, eq(campaigns.id, lineItems.campaignId))
    .leftJoin(lineItemSettlements, eq(lineItemSettlements.lineItemId, lineItems.id))
    .where(eq(lineItems.id, id));
  if (!row) throw notFound("Line item");
  const amounts: Refundable = {
    commissionRateBps: row.commissionRateBps,
    settled: asCents(Number(row.settled)),
    refunded: asCents(Number(row.refunded)),
    refundedEarnings: asCents(Number(row.refundedEarnings)),
  };
  return { ...row, ...amounts };
}
