import { z } from "zod";
import { getWallet, type Wallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { keepTopUpAnswer } from "#app/domain/billing/wallet/keep-top-up-answer.server.ts";
import { topUpStatuses } from "#app/domain/billing/wallet/top-up.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { advertiserCall, readIdempotencyKey } from "../call.server.ts";
import { urlOrNull, wire } from "../wire.ts";

const walletSchema = z.object({
  balance: wire.dollars.describe("What is in it, less what is owed"),
  reserved: wire.dollars.describe("Delivered and not settled, and what running campaigns may still spend today"),
  available: wire.dollars.describe("The balance and the credit limit less what is reserved, 0 or more"),
  credit_limit: wire.dollars,
  waits_for_funds: z.boolean().describe("All is used up: campaigns deliver again after a top-up"),
  projected_last_day: wire.date
    .nullable()
    .describe("When the money ends at the pace of the last week, if within 7 days"),
});

const walletJson = (wallet: Wallet): z.input<typeof walletSchema> => ({
  balance: dollarsOf(wallet.balance),
  reserved: dollarsOf(wallet.reserved),
  available: dollarsOf(wallet.available),
  credit_limit: dollarsOf(wallet.creditLimit),
  waits_for_funds: wallet.holds,
  projected_last_day: wallet.lastDay,
});

const answerSchema = z.object({
  wallet: walletSchema,
  top_up: z.object({
    id: wire.id,
    amount: wire.dollars,
    status: z.enum(topUpStatuses),
    confirmation_url: z.string().nullable().describe("Where a person confirms the payment, when the bank asks for it"),
    created_at: wire.time,
  }),
});

/** Calls about an advertiser's wallet. */
export const walletCalls = {
  "GET /api/billing/wallet": advertiserCall({
    summary: "What the advertiser has put in, and what of it is still free",
    answer: z.object({ wallet: walletSchema }),
    run: async ({ ctx }) => ({ wallet: walletJson(await getWallet(ctx)) }),
  }),
  "POST /api/billing/top-ups": advertiserCall({
    summary: "Put money into the wallet; 422 at `payment_method_id` when the payment is declined",
    body: topUpSchema,
    answer: answerSchema,
    status: 201,
    keys: false,
    moneyMoves: true,
    goesOn: true,
    run: async ({ ctx, body, visit }) => {
      const key = `api/${readIdempotencyKey(visit.request, true)}`;
      const done = await topUpWallet(ctx, { ...body, key, returnPath: (id) => `/advertiser/billing/top-ups/${id}` });
      if (done.repeated) visit.headers.set("Idempotent-Replayed", "true");
      const { id, status, failure } = done;
      if (failure) throw invalidInput({ payment_method_id: [failure] }, failure);
      const answer: z.input<typeof answerSchema> = {
        wallet: walletJson(await getWallet(ctx)),
        top_up: {
          id,
          status,
          amount: dollarsOf(done.amount),
          confirmation_url: urlOrNull(done.confirmUrl),
          created_at: done.createdAt.toISOString(),
        },
      };
      return answerSchema.parse(JSON.parse(await keepTopUpAnswer(ctx, { id, answer: JSON.stringify(answer) })));
    },
  }),
};
