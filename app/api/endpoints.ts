import { z } from "zod";
import { publicEndpoint } from "./endpoint.server.ts";
import type { Endpoint } from "./endpoint.ts";
import { analyticsEndpoints } from "./endpoints/analytics-endpoints.ts";
import { apiKeyEndpoints } from "./endpoints/api-key-endpoints.ts";
import { audienceEndpoints } from "./endpoints/audience-endpoints.ts";
import { audienceMemberEndpoints } from "./endpoints/audience-member-endpoints.ts";
import { billingEndpoints } from "./endpoints/billing-endpoints.ts";
import { campaignEndpoints } from "./endpoints/campaign-endpoints.ts";
import { connectionEndpoints } from "./endpoints/connection-endpoints.ts";
import { creativeEndpoints } from "./endpoints/creative-endpoints.ts";
import { deliveryEndpoints } from "./endpoints/delivery-endpoints.ts";
import { firstStepEndpoints } from "./endpoints/first-step-endpoints.ts";
import { importEndpoints } from "./endpoints/import-endpoints.ts";
import { invoiceEndpoints } from "./endpoints/invoice-endpoints.ts";
import { operatorEndpoints } from "./endpoints/operator-endpoints.ts";
import { paymentMethodEndpoints } from "./endpoints/payment-method-endpoints.ts";
import { payoutEndpoints } from "./endpoints/payout-endpoints.ts";
import { productEndpoints } from "./endpoints/product-endpoints.ts";
import { reportEndpoints } from "./endpoints/report-endpoints.ts";
import { reviewEndpoints } from "./endpoints/review-endpoints.ts";
import { sessionEndpoints } from "./endpoints/session-endpoints.ts";
import { statementEndpoints } from "./endpoints/statement-endpoints.ts";
import { storeEndpoints } from "./endpoints/store-endpoints.ts";
import { subscriptionEndpoints } from "./endpoints/subscription-endpoints.ts";
import { walletEndpoints } from "./endpoints/wallet-endpoints.ts";
import { webhookEndpoints } from "./endpoints/webhook-endpoints.ts";
import { openApiDocument } from "./openapi.ts";

/**
 * The endpoint table: the API has exactly these endpoints. The resource route, the description at `/api/openapi.json`,
 * the typed client and the API tests are built from it.
 */
export const endpoints = {
  ...sessionEndpoints,
  ...campaignEndpoints,
  ...reviewEndpoints,
  ...apiKeyEndpoints,
  ...webhookEndpoints,
  ...billingEndpoints,
  ...subscriptionEndpoints,
  ...paymentMethodEndpoints,
  ...walletEndpoints,
  ...payoutEndpoints,
  ...statementEndpoints,
  ...invoiceEndpoints,
  ...productEndpoints,
  ...creativeEndpoints,
  ...importEndpoints,
  ...storeEndpoints,
  ...audienceEndpoints,
  ...audienceMemberEndpoints,
  ...connectionEndpoints,
  ...analyticsEndpoints,
  ...reportEndpoints,
  ...firstStepEndpoints,
  ...operatorEndpoints,
  ...deliveryEndpoints,
  "GET /api/openapi.json": publicEndpoint({
    summary: "This OpenAPI document",
    response: z.record(z.string(), z.unknown()),
    run: () => describeAll(),
  }),
} satisfies Record<`${"GET" | "POST" | "PATCH" | "DELETE"} /api/${string}`, Endpoint>;

function describeAll(): Promise<Record<string, unknown>> {
  return openApiDocument(endpoints);
}
