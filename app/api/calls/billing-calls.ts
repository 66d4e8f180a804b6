import { z } from "zod";
import { listRevenueShares, sumEarnings } from "#app/domain/billing/list-revenue-shares.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { revenueShareStatuses } from "#app/domain/billing/revenue-share.ts";
import { transactionStatuses, transactionTypes } from "#app/domain/billing/transaction.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { publisherCall, tenantCall } from "../call.server.ts";
import { pageAnswer, pageQuery, wire } from "../wire.ts";

const transactionSchema = z.object({
  id: wire.id,
  description: z.string(),
  amount: wire.dollars,
  transaction_type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  created_at: wire.time,
});

const revenueShareSchema = z.object({
  id: wire.id,
  campaign_name: z.string(),
  advertiser_spend: wire.dollars,
  publisher_earnings: wire.dollars,
  platform_fee: wire.dollars,
  status: z.enum(revenueShareStatuses),
  created_at: wire.time,
});

/** Calls about an account's money. */
export const billingCalls = {
  "GET /api/billing/transactions": tenantCall({
    summary: "What happened to the account's money, newest first; negative where something was taken back",
    query: z.object(pageQuery),
    answer: z.object({ transactions: z.array(transactionSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = await listTransactions(ctx, query);
      const transactions = page.rows.map(({ id, description, amount, type, status, createdAt }) => ({
        id,
        description,
        amount: dollarsOf(amount),
        transaction_type: type,
        status,
        created_at: createdAt.toISOString(),
      }));
      return { transactions, next_cursor: page.nextCursor };
    },
  }),
  "GET /api/billing/revenue-shares": publisherCall({
    summary: "What each settlement brought the publisher, newest first: spend = earnings + fee",
    query: z.object(pageQuery),
    answer: z.object({
      revenue_shares: z.array(revenueShareSchema),
      total_earnings: wire.dollars.describe("Of all of them, not of this page alone"),
      ...pageAnswer,
    }),
    run: async ({ ctx, query }) => {
      const [page, total] = await Promise.all([listRevenueShares(ctx, query), sumEarnings(ctx)]);
      const revenue_shares = page.rows.map(({ id, campaignName, spend, earnings, fee, status, createdAt }) => ({
        id,
        campaign_name: campaignName,
        advertiser_spend: dollarsOf(spend),
        publisher_earnings: dollarsOf(earnings),
        platform_fee: dollarsOf(fee),
        status,
        created_at: createdAt.toISOString(),
      }));
      return { revenue_shares, total_earnings: dollarsOf(total), next_cursor: page.nextCursor };
    },
  }),
};
