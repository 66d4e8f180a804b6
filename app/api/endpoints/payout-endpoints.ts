import { z } from "zod";
import { adjustedMonthOnWire } from "#app/domain/billing/adjustment.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import {
  getPayout,
  listPayoutLines,
  listPayouts,
  type Payout,
} from "#app/domain/billing/payouts/list-payouts.server.ts";
import { connectedAccountStates, payoutStatuses } from "#app/domain/billing/payouts/payout.ts";
import {
  findPayoutAccount,
  findPayoutAccountStatus,
  setPayoutAccount,
} from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutAccountSchema, payoutRequestSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { startPayoutOnboarding } from "#app/domain/billing/payouts/start-payout-onboarding.server.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { inSnapshot, longTimeoutMs } from "#app/domain/transaction.server.ts";
import { payoutTimeoutMs } from "#app/web/request-limits.ts";
import { adjustedMonthSchema } from "../adjusted-month-schema.ts";
import { publisherEndpoint } from "../endpoint.server.ts";
import { requireId } from "../require-id.ts";
import { lineItemsQuery, pageQuery, pageResponse, successBody, successShape, timeOrNull, wire } from "../wire.ts";

const payoutSchema = z.object({
  id: wire.id,
  status: z.enum(payoutStatuses),
  amount: wire.dollars,
  bank: z.string(),
  last_four: z.string(),
  scheduled_for: wire.date
    .nullable()
    .describe("First day of the month for scheduled payouts; null for requested payouts"),
  failure: z.string().nullable().describe("Failure reason"),
  created_at: wire.time,
  ended_at: wire.time.nullable(),
  returned_at: wire.time.nullable().describe("When the bank returned the payout"),
});

const balanceSchema = z.object({
  earned: wire.dollars,
  held: wire.dollars.describe("Earnings held for seven days after the settled date"),
  available: wire.dollars.describe("Negative when refunds or corrections exceed new earnings"),
  in_transit: wire.dollars,
  paid: wire.dollars,
  paid_for_plans: wire.dollars.describe("Plan payments deducted from earnings"),
  repaid: wire.dollars.describe("Transferred to us to settle a negative balance; not part of `earned`"),
  next_payout: z.object({
    date: wire.date,
    amount: wire.dollars.describe(
      "Based on earnings settled so far, without those that stay in the balance for the next payment of a plan that is paid from earnings",
    ),
  }),
});

const lineSchema = z.object({
  number: wire.count,
  campaign_name: z
    .string()
    .describe("The campaign, or what else the line is for: a plan that was paid from earnings, or a repayment"),
  settled_through: wire.date,
  adjusts_month: adjustedMonthSchema,
  advertiser_spend: wire.dollars,
  platform_fee: wire.dollars,
  publisher_earnings: wire.dollars.describe("What the line adds to the payout; negative for plans and deductions"),
});

/** Payout endpoints of publishers. */
export const payoutEndpoints = {
  "GET /api/billing/payouts": publisherEndpoint({
    summary: "List payouts, newest first, with the balance breakdown and the payout account",
    query: z.object(pageQuery),
    response: z.object({
      payouts: z.array(payoutSchema),
      balance: balanceSchema,
      account: z.object({ bank: z.string(), last_four: z.string() }).nullable(),
      account_state: z
        .enum(connectedAccountStates)
        .nullable()
        .describe("Status of the Stripe account; null if Stripe payouts are off or not set up"),
      ...pageResponse,
    }),
    run: async ({ ctx, query }) => {
      const [[page, balance], account, accountStatus] = await Promise.all([
        inSnapshot(ctx, (tx) => Promise.all([listPayouts(tx, query), getPayoutBalance(tx)])),
        findPayoutAccount(ctx),
        findPayoutAccountStatus(ctx),
      ]);
      const { earned, held, available, inTransit, paid, netted, repaid, next } = balance;
      return {
        payouts: page.rows.map(payoutJson),
        balance: {
          earned: centsToDollars(earned),
          held: centsToDollars(held),
          available: centsToDollars(available),
          in_transit: centsToDollars(inTransit),
          paid: centsToDollars(paid),
          paid_for_plans: centsToDollars(netted),
          repaid: centsToDollars(repaid),
          next_payout: { date: next.date, amount: centsToDollars(next.amount) },
        },
        account: account ? { bank: account.bank, last_four: account.lastFour } : null,
        account_state: accountStatus?.state ?? null,
        next_cursor: page.nextCursor,
      };
    },
  }),
  "POST /api/billing/payouts": publisherEndpoint({
    summary: "Request a payout of the available balance (minimum $50). If `amount` is sent, it must match",
    body: payoutRequestSchema,
    response: z.object({ payouts: z.array(payoutSchema).describe("The created payout") }),
    status: 201,
    allowsApiKeys: false,
    movesMoney: true,
    limits: { timeout: payoutTimeoutMs, isTransfer: true },
    deadlineMs: longTimeoutMs,
    errors: ["invalid_transition", "limit_reached"],
    run: async ({ ctx, body }) => {
      const { id } = await requestPayout(ctx, body);
      return { payouts: [payoutJson(await getPayout(ctx, id))] };
    },
  }),
  "GET /api/billing/payouts/{id}": publisherEndpoint({
    summary: "Get a payout with its line items, which sum to its amount",
    query: z.object(lineItemsQuery),
    response: z.object({
      payout: payoutSchema,
      lines: z.array(lineSchema),
      next_after: wire.count
        .nullable()
        .describe("Pass as `after` to get the next 500 line items; null on the last page"),
    }),
    run: async ({ ctx, params, query }) => {
      const id = requireId<PayoutId>("Payout", params.id);
      const payout = await getPayout(ctx, id);
      const lines = await listPayoutLines(ctx, { id, after: query.after });
      const last = lines.at(-1)?.number ?? 0;
      return {
        payout: payoutJson(payout),
        lines: lines.map(({ number, campaignName, settledThrough, adjustsMonth, spend, fee, earnings }) => ({
          number,
          campaign_name: campaignName,
          settled_through: settledThrough,
          adjusts_month: adjustedMonthOnWire(adjustsMonth),
          advertiser_spend: centsToDollars(spend),
          platform_fee: centsToDollars(fee),
          publisher_earnings: centsToDollars(earnings),
        })),
        next_after: last > 0 && last < payout.lines ? last : null,
      };
    },
  }),
  "POST /api/billing/payout-account": publisherEndpoint({
    summary:
      "Set the sandbox payout account: bank_sandbox, or bank_closed, where payouts fail. With Stripe, open its page instead",
    body: payoutAccountSchema,
    response: z.object(successShape),
    allowsApiKeys: false,
    errors: ["invalid_transition"],
    run: async ({ ctx, body }) => {
      await setPayoutAccount(ctx, body);
      return successBody;
    },
  }),
  "POST /api/billing/payout-account/page": publisherEndpoint({
    summary: "Create a single-use link to Stripe's onboarding page for identity and bank account details",
    response: z.object({ url: z.string() }),
    allowsApiKeys: false,
    responseIsSingleUse: true,
    errors: ["invalid_transition"],
    run: ({ ctx }) => startPayoutOnboarding(ctx, accountPaths),
  }),
};

/** The pages that Stripe's onboarding returns to. */
const accountPaths = {
  returnPath: "/publisher/revenue/account?back=done",
  refreshPath: "/publisher/revenue/account?back=again",
} as const;

function payoutJson(payout: Payout) {
  const { amount, lastFour, scheduledFor, createdAt, endedAt, returnedAt, id, status, bank, failure } = payout;
  return {
    id,
    status,
    amount: centsToDollars(amount),
    bank,
    last_four: lastFour,
    scheduled_for: scheduledFor,
    failure,
    created_at: createdAt.toISOString(),
    ended_at: timeOrNull(endedAt),
    returned_at: timeOrNull(returnedAt),
  };
}
