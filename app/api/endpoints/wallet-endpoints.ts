import { z } from "zod";
import { storeFirstResponse } from "#app/domain/billing/store-first-response.server.ts";
import { getWallet, type Wallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { topUpStatuses } from "#app/domain/billing/wallet/top-up.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { advertiserEndpoint } from "../endpoint.server.ts";
import { markReplayed, parseIdempotencyKey } from "../idempotency-key.ts";
import { urlOrNull, wire } from "../wire.ts";

const walletSchema = z.object({
  balance: wire.dollars.describe("Wallet balance less what is owed"),
  reserved: wire.dollars.describe("Unsettled spend plus what running campaigns can still spend today"),
  available: wire.dollars.describe("Balance plus credit limit minus reserved, never below 0"),
  credit_limit: wire.dollars,
  waits_for_funds: z.boolean().describe("True when funds are used up and campaigns are on hold until a top-up"),
  projected_last_day: wire.date.nullable().describe("Date the funds run out at last week's pace, if within 7 days"),
});

const walletJson = (wallet: Wallet): z.input<typeof walletSchema> => ({
  balance: centsToDollars(wallet.balance),
  reserved: centsToDollars(wallet.reserved),
  available: centsToDollars(wallet.available),
  credit_limit: centsToDollars(wallet.creditLimit),
  waits_for_funds: wallet.holds,
  projected_last_day: wallet.lastDay,
});

const answerSchema = z.object({
  wallet: walletSchema,
  top_up: z.object({
    id: wire.id,
    amount: wire.dollars,
    status: z.enum(topUpStatuses),
    confirmation_url: z
      .string()
      .nullable()
      .describe("URL where the customer confirms the payment, if the bank requires it"),
    created_at: wire.time,
  }),
});

/** Wallet endpoints of advertisers. */
export const walletEndpoints = {
  "GET /api/billing/wallet": advertiserEndpoint({
    summary: "Get the advertiser's wallet: balance, reserved and available",
    response: z.object({ wallet: walletSchema }),
    run: async ({ ctx }) => ({ wallet: walletJson(await getWallet(ctx)) }),
  }),
  "POST /api/billing/top-ups": advertiserEndpoint({
    summary: "Top up the wallet. Returns 422 on `payment_method_id` if the payment is declined",
    body: topUpSchema,
    response: answerSchema,
    errors: ["invalid_transition"],
    status: 201,
    allowsApiKeys: false,
    movesMoney: true,
    continuesInBackground: true,
    run: async ({ ctx, body, apiRequest }) => {
      const key = `api/${parseIdempotencyKey(apiRequest.head, true)}`;
      const done = await topUpWallet(ctx, { ...body, key, returnPath: (id) => `/advertiser/billing/top-ups/${id}` });
      if (done.replayed) markReplayed(apiRequest);
      const { id, status, failure } = done;
      if (failure) throw invalidInput({ payment_method_id: [failure] }, failure);
      const response: z.input<typeof answerSchema> = {
        wallet: walletJson(await getWallet(ctx)),
        top_up: {
          id,
          status,
          amount: centsToDollars(done.amount),
          confirmation_url: urlOrNull(done.confirmUrl),
          created_at: done.createdAt.toISOString(),
        },
      };
      const stored = { payment: { kind: "top_up" as const, id }, response: JSON.stringify(response) };
      return answerSchema.parse(JSON.parse(await storeFirstResponse(ctx, stored)));
    },
  }),
};
