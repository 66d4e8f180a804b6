import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { campaigns, lineItemSettlements, lineItems, refunds, revenueShares, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { invalidInput, notFound } from "../../errors.ts";
import { type LineItemId, newId, type RefundId, type RevenueShareId, type TransactionId } from "../../ids.ts";
import { type Cents, formatCents, toCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { fundsOf, lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { spendLegs } from "../ledger/spend-posting.ts";
import { refreshFunds } from "../wallet/refresh-funds.server.ts";
import { leftToRefund, type Refundable, splitRefund } from "./refund-amounts.ts";

/**
 * Gives an advertiser back what a line item spent, by the operator's hand: its debt becomes smaller first, the rest goes into its
 * wallet; the publisher loses its part, which is negative where it was paid already. A refund is an entry of its own, and names the
 * line item. Throws `not_found`, and `invalid_input` for more than was settled and is left.
 */
export async function refundSpend(
  ctx: Ctx<OperatorActor>,
  { lineItemId, amount }: { lineItemId: LineItemId; amount: Cents },
): Promise<{ id: RefundId; amount: Cents; earnings: Cents; fee: Cents }> {
  const { advertiserId, ...made } = await inTransaction(ctx, async (tx) => {
    const item = await lockRefundable(tx, lineItemId);
    const left = leftToRefund(item);
    if (amount <= 0) throw invalidInput({ amount: ["Enter an amount above 0"] }, "Enter an amount above 0");
    if (amount > left) {
      const message = `At most ${formatCents(left)} of this line item can be given back`;
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
    const back = { spend: toCents(-amount), earnings: toCents(-earnings || 0), fee: toCents(-fee || 0) };
    const legs = spendLegs(item, back, fundsOf(advertiserId, accounts));
    const eventKey = `refund/${id}`;
    const posted = await postToLedger(tx, { postings: [{ event: "refund", eventKey, legs }], accounts });
    const ledgerTransactionId = posted.get(eventKey);
    if (!ledgerTransactionId) throw new Error("a new refund is posted");
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
      spendCents: back.spend,
      earningsCents: back.earnings,
      feeCents: back.fee,
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
    });
    return { id, amount, earnings, fee, advertiserId };
  });
  await refreshFunds(ctx, [advertiserId]);
  return made;
}

/** The line item, locked so that no settlement and no other refund comes between. Read when it is locked. */
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
    settled: toCents(Number(row.settled)),
    refunded: toCents(Number(row.refunded)),
    refundedEarnings: toCents(Number(row.refundedEarnings)),
  };
  return { ...row, ...amounts };
}
