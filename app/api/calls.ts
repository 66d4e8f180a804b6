import { z } from "zod";
import { type Call, visitorCall } from "./call.server.ts";
import { accountCalls } from "./calls/account-calls.ts";
import { analyticsCalls } from "./calls/analytics-calls.ts";
import { audienceCalls } from "./calls/audience-calls.ts";
import { billingCalls } from "./calls/billing-calls.ts";
import { campaignCalls } from "./calls/campaign-calls.ts";
import { connectionCalls } from "./calls/connection-calls.ts";
import { creativeCalls } from "./calls/creative-calls.ts";
import { deliveryCalls } from "./calls/delivery-calls.ts";
import { importCalls } from "./calls/import-calls.ts";
import { invoiceCalls } from "./calls/invoice-calls.ts";
import { memberCalls } from "./calls/member-calls.ts";
import { operatorCalls } from "./calls/operator-calls.ts";
import { paymentMethodCalls } from "./calls/payment-method-calls.ts";
import { payoutCalls } from "./calls/payout-calls.ts";
import { productCalls } from "./calls/product-calls.ts";
import { publisherCalls } from "./calls/publisher-calls.ts";
import { statementCalls } from "./calls/statement-calls.ts";
import { storeCalls } from "./calls/store-calls.ts";
import { subscriptionCalls } from "./calls/subscription-calls.ts";
import { tenantCalls } from "./calls/tenant-calls.ts";
import { walletCalls } from "./calls/wallet-calls.ts";
import { webhookCalls } from "./calls/webhook-calls.ts";
import { describeCalls } from "./openapi.ts";

/**
 * The table of calls: what stands here can be called, and nothing else. The resource route, the description at
 * `/api/openapi.json`, the typed client and the API tests are made from it.
 */
export const calls = {
  ...accountCalls,
  ...campaignCalls,
  ...publisherCalls,
  ...tenantCalls,
  ...webhookCalls,
  ...billingCalls,
  ...subscriptionCalls,
  ...paymentMethodCalls,
  ...walletCalls,
  ...payoutCalls,
  ...statementCalls,
  ...invoiceCalls,
  ...productCalls,
  ...creativeCalls,
  ...importCalls,
  ...storeCalls,
  ...audienceCalls,
  ...memberCalls,
  ...connectionCalls,
  ...analyticsCalls,
  ...operatorCalls,
  ...deliveryCalls,
  "GET /api/openapi.json": visitorCall({
    summary: "This description",
    answer: z.record(z.string(), z.unknown()),
    run: async () => describeAll(),
  }),
} satisfies Record<`${"GET" | "POST" | "PATCH" | "DELETE"} /api/${string}`, Call>;

function describeAll(): Record<string, unknown> {
  return describeCalls(calls);
}
