import { z } from "zod";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import {
  getPayout,
  listPayoutLines,
  listPayouts,
  type Payout,
} from "#app/domain/billing/payouts/list-payouts.server.ts";
import { connectedAccountStates, payoutStatuses } from "#app/domain/billing/payouts/payout.ts";
import {
  findAccountState,
  findPayoutAccount,
  setPayoutAccount,
} from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutAccountSchema, payoutRequestSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { beginPayoutAccount } from "#app/domain/billing/payouts/stripe/begin-payout-account.server.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { publisherCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { done, doneShape, pageAnswer, pageQuery, timeOrNull, wire } from "../wire.ts";

const payoutSchema = z.object({
  id: wire.id,
  status: z.enum(payoutStatuses),
  amount: wire.dollars,
  bank: z.string(),
  last_four: z.string(),
  scheduled_for: wire.date.nullable().describe("The first of the month it was made for; null when it was requested"),
  failure: z.string().nullable().describe("Why it came back"),
  created_at: wire.time,
  ended_at: wire.time.nullable(),
  returned_at: wire.time.nullable().describe("When it came back after it had arrived"),
});

const balanceSchema = z.object({
  earned: wire.dollars,
  held: wire.dollars.describe("Until seven days after the day that was settled"),
  available: wire.dollars.describe("Negative when more was taken back than earned since"),
  in_transit: wire.dollars,
  paid: wire.dollars,
  paid_for_plans: wire.dollars.describe("What plans were paid from earnings"),
  next_payout: z.object({ date: wire.date, amount: wire.dollars.describe("Of what is settled so far") }),
});

const lineSchema = z.object({
  number: wire.count,
  campaign_name: z.string(),
  settled_through: wire.date,
  advertiser_spend: wire.dollars,
  platform_fee: wire.dollars,
  publisher_earnings: wire.dollars,
});

/** Calls about what a publisher is paid. */
export const payoutCalls = {
  "GET /api/billing/payouts": publisherCall({
    summary: "The publisher's payouts, newest first, where its earnings are now, and the account they go to",
    query: z.object(pageQuery),
    answer: z.object({
      payouts: z.array(payoutSchema),
      balance: balanceSchema,
      account: z.object({ bank: z.string(), last_four: z.string() }).nullable(),
      account_state: z
        .enum(connectedAccountStates)
        .nullable()
        .describe("How the account at Stripe stands; null where Stripe does not pay out, or was not asked yet"),
      ...pageAnswer,
    }),
    run: async ({ ctx, query }) => {
      const [page, balance, account, stands] = await Promise.all([
        listPayouts(ctx, query),
        getPayoutBalance(ctx),
        findPayoutAccount(ctx),
        findAccountState(ctx),
      ]);
      const { earned, held, available, inTransit, paid, netted, next } = balance;
      return {
        payouts: page.rows.map(payoutJson),
        balance: {
          earned: dollarsOf(earned),
          held: dollarsOf(held),
          available: dollarsOf(available),
          in_transit: dollarsOf(inTransit),
          paid: dollarsOf(paid),
          paid_for_plans: dollarsOf(netted),
          next_payout: { date: next.date, amount: dollarsOf(next.amount) },
        },
        account: account ? { bank: account.bank, last_four: account.lastFour } : null,
        account_state: stands?.state ?? null,
        next_cursor: page.nextCursor,
      };
    },
  }),
  "POST /api/billing/payouts": publisherCall({
    summary: "Request a payout of all that is available, at least $50; with `amount` only if it is that",
    body: payoutRequestSchema,
    answer: z.object({ payouts: z.array(payoutSchema).describe("The one that was made") }),
    status: 201,
    keys: false,
    moneyMoves: true,
    run: async ({ ctx, body }) => {
      const { id } = await requestPayout(ctx, body);
      return { payouts: [payoutJson(await getPayout(ctx, id))] };
    },
  }),
  "GET /api/billing/payouts/{id}": publisherCall({
    summary: "A payout with its lines: they sum to its amount",
    query: z.object({ after: z.coerce.number().int().min(0).max(2_000_000_000).optional().meta({ type: "integer" }) }),
    answer: z.object({
      payout: payoutSchema,
      lines: z.array(lineSchema),
      next_after: wire.count.nullable().describe("As `after` it gives the next 500 lines; null on the last page"),
    }),
    run: async ({ ctx, params, query }) => {
      const id = requireId<PayoutId>("Payout", params.id);
      const payout = await getPayout(ctx, id);
      const lines = await listPayoutLines(ctx, { id, after: query.after });
      const last = lines.at(-1)?.number ?? 0;
      return {
        payout: payoutJson(payout),
        lines: lines.map(({ number, campaignName, settledThrough, spend, fee, earnings }) => ({
          number,
          campaign_name: campaignName,
          settled_through: settledThrough,
          advertiser_spend: dollarsOf(spend),
          platform_fee: dollarsOf(fee),
          publisher_earnings: dollarsOf(earnings),
        })),
        next_after: last > 0 && last < payout.lines ? last : null,
      };
    },
  }),
  "POST /api/billing/payout-account": publisherCall({
    summary:
      "Say where the sandbox pays earnings to, by its tokens: bank_sandbox, and bank_closed, where payouts fail. Where Stripe pays out, its page is opened instead",
    body: payoutAccountSchema,
    answer: z.object(doneShape),
    keys: false,
    run: async ({ ctx, body }) => {
      await setPayoutAccount(ctx, body);
      return done;
    },
  }),
  "POST /api/billing/payout-account/page": publisherCall({
    summary:
      "Open Stripe's page where the publisher says who it is and names the bank account; for one visit, of a person",
    answer: z.object({ url: z.string() }),
    keys: false,
    run: async ({ ctx }) => beginPayoutAccount(ctx, accountPaths),
  }),
};

/** Where Stripe's page comes back to. */
const accountPaths = {
  returnPath: "/publisher/revenue/account?back=done",
  refreshPath: "/publisher/revenue/account?back=again",
} as const;

function payoutJson(payout: Payout) {
  const { amount, lastFour, scheduledFor, createdAt, endedAt, returnedAt, id, status, bank, failure } = payout;
  return {
    id,
    status,
    amount: dollarsOf(amount),
    bank,
    last_four: lastFour,
    scheduled_for: scheduledFor,
    failure,
    created_at: createdAt.toISOString(),
    ended_at: timeOrNull(endedAt),
    returned_at: timeOrNull(returnedAt),
  };
}
