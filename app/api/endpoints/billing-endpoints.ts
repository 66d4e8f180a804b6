import { z } from "zod";
import { adjustedMonthOnWire } from "#app/domain/billing/adjustment.ts";
import { listRevenueShares, sumEarnings } from "#app/domain/billing/list-revenue-shares.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { revenueShareStatuses } from "#app/domain/billing/revenue-share.ts";
import { transactionStatuses, transactionTypes } from "#app/domain/billing/transaction.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { adjustedMonthSchema } from "../adjusted-month-schema.ts";
import { publisherEndpoint, tenantEndpoint } from "../endpoint.server.ts";
import { pageQuery, pageResponse, wire } from "../wire.ts";

const transactionSchema = z.object({
  id: wire.id,
  description: z.string(),
  amount: wire.dollars.describe(
    "An advertiser's spend, top-ups, payments and refunds are positive, and so are a publisher's plan payments and payouts; a publisher's repayments are negative. What reverses or corrects one has the opposite sign",
  ),
  transaction_type: z.enum(transactionTypes),
  adjusts_month: adjustedMonthSchema,
  status: z.enum(transactionStatuses),
  created_at: wire.time,
});

const revenueShareSchema = z.object({
  id: wire.id,
  campaign_name: z.string(),
  advertiser_spend: wire.dollars,
  publisher_earnings: wire.dollars,
  platform_fee: wire.dollars,
  adjusts_month: adjustedMonthSchema,
  status: z.enum(revenueShareStatuses),
  created_at: wire.time,
});

/** Billing endpoints, for both sides. */
export const billingEndpoints = {
  "GET /api/billing/transactions": tenantEndpoint({
    summary: "List transactions, newest first",
    query: z.object(pageQuery),
    response: z.object({ transactions: z.array(transactionSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = await listTransactions(ctx, query);
      const transactions = page.rows.map(({ id, description, amount, type, status, adjustsMonth, createdAt }) => ({
        id,
        description,
        amount: centsToDollars(amount),
        transaction_type: type,
        adjusts_month: adjustedMonthOnWire(adjustsMonth),
        status,
        created_at: createdAt.toISOString(),
      }));
      return { transactions, next_cursor: page.nextCursor };
    },
  }),
  "GET /api/billing/revenue-shares": publisherEndpoint({
    summary: "List the publisher's revenue shares, newest first. Spend = earnings + platform fee",
    query: z.object(pageQuery),
    response: z.object({
      revenue_shares: z.array(revenueShareSchema),
      total_earnings: wire.dollars.describe("Total across all pages"),
      ...pageResponse,
    }),
    run: async ({ ctx, query }) => {
      const [page, total] = await inSnapshot(ctx, (tx) => Promise.all([listRevenueShares(tx, query), sumEarnings(tx)]));
      const revenue_shares = page.rows.map(
        ({ id, campaignName, spend, earnings, fee, status, adjustsMonth, createdAt }) => ({
          id,
          campaign_name: campaignName,
          advertiser_spend: centsToDollars(spend),
          publisher_earnings: centsToDollars(earnings),
          platform_fee: centsToDollars(fee),
          adjusts_month: adjustedMonthOnWire(adjustsMonth),
          status,
          created_at: createdAt.toISOString(),
        }),
      );
      return { revenue_shares, total_earnings: centsToDollars(total), next_cursor: page.nextCursor };
    },
  }),
};
