import { z } from "zod";
import type { WebhookDeliveryId, WebhookId } from "#app/domain/ids.ts";
import { checkWebhookUrl, createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { enableWebhook } from "#app/domain/webhooks/enable-webhook.server.ts";
import { getWebhookDelivery, listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { getWebhook, listWebhooks } from "#app/domain/webhooks/list-webhooks.server.ts";
import { removeWebhook } from "#app/domain/webhooks/remove-webhook.server.ts";
import { replayWebhookDelivery } from "#app/domain/webhooks/replay-webhook-delivery.server.ts";
import { rotateWebhookSecret } from "#app/domain/webhooks/rotate-webhook-secret.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import { webhookSchema } from "#app/domain/webhooks/webhook-payloads.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import {
  webhookDeliveryJson,
  webhookDeliveryJsonSchema,
  webhookJson,
  webhookJsonSchema,
} from "../json/webhook-json.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, successBody, successShape } from "../wire.ts";

const one = z.object({ webhook: webhookJsonSchema });
const oneWithSecret = z.object({
  webhook: webhookJsonSchema.extend({ secret: z.string().optional().describe("Omitted from replayed responses") }),
});
const oneDelivery = z.object({ delivery: webhookDeliveryJsonSchema });

/** Endpoints for webhooks and their deliveries, for both sides. */
export const webhookEndpoints = {
  "GET /api/webhooks": tenantEndpoint({
    summary: "List the account's webhooks, newest first",
    query: z.object(pageQuery),
    response: z.object({ webhooks: z.array(webhookJsonSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = await listWebhooks(ctx, query);
      return { webhooks: page.rows.map(webhookJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/webhooks": tenantEndpoint({
    summary: "Create a webhook. The secret is returned only in this response",
    body: webhookSchema,
    response: oneWithSecret,
    status: 201,
    secretFields: ["secret"],
    creates: "webhooks",
    errors: ["limit_reached", "invalid_transition"],
    prepare: async ({ body }) => {
      await checkWebhookUrl(body);
      return async (ctx) => {
        const { webhook, secret } = await createWebhook(ctx, body);
        return { webhook: { ...webhookJson(webhook), secret } };
      };
    },
  }),
  "DELETE /api/webhooks": tenantEndpoint({
    summary: "Remove the webhook given in the query. Pending events are not sent",
    query: z.object({ id: z.string("Send the webhook's ID") }),
    response: z.object(successShape),
    errors: ["not_found"],
    run: async ({ ctx, query }) => {
      await removeWebhook(ctx, { id: requireId<WebhookId>("Webhook", query.id) });
      return successBody;
    },
  }),
  "GET /api/webhooks/{id}": tenantEndpoint({
    summary: "Get a webhook",
    response: one,
    run: async ({ ctx, params }) => ({
      webhook: webhookJson(await getWebhook(ctx, requireId<WebhookId>("Webhook", params.id))),
    }),
  }),
  "DELETE /api/webhooks/{id}": tenantEndpoint({
    summary: "Remove a webhook. Pending events are not sent",
    response: z.object(successShape),
    run: async ({ ctx, params }) => {
      await removeWebhook(ctx, { id: requireId<WebhookId>("Webhook", params.id) });
      return successBody;
    },
  }),
  "POST /api/webhooks/{id}/enable": tenantEndpoint({
    summary: "Enable a disabled webhook",
    response: one,
    run: async ({ ctx, params }) => ({
      webhook: webhookJson(await enableWebhook(ctx, { id: requireId<WebhookId>("Webhook", params.id) })),
    }),
  }),
  "POST /api/webhooks/{id}/rotate-secret": tenantEndpoint({
    summary:
      "Replace the secret, which is returned only in this response. For 24 hours deliveries are signed with the previous one too",
    response: oneWithSecret,
    secretFields: ["secret"],
    run: async ({ ctx, params }) => {
      const id = requireId<WebhookId>("Webhook", params.id);
      const { webhook, secret } = await rotateWebhookSecret(ctx, { id });
      return { webhook: { ...webhookJson(webhook), secret } };
    },
  }),
  "POST /api/webhooks/{id}/test": tenantEndpoint({
    summary: "Send a `webhook.test` event",
    response: oneDelivery,
    status: 202,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const { id } = await testWebhook(ctx, { id: requireId<WebhookId>("Webhook", params.id) });
      return { delivery: webhookDeliveryJson(await getWebhookDelivery(ctx, id)) };
    },
  }),
  "GET /api/webhooks/{id}/deliveries": tenantEndpoint({
    summary: "List a webhook's sent and pending deliveries that are kept, newest first",
    query: z.object(pageQuery),
    response: z.object({ deliveries: z.array(webhookDeliveryJsonSchema), ...pageResponse }),
    run: async ({ ctx, params, query }) => {
      const webhookId = requireId<WebhookId>("Webhook", params.id);
      const page = await listWebhookDeliveries(ctx, { ...query, webhookId });
      return { deliveries: page.rows.map(webhookDeliveryJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/webhook-deliveries/{id}/replay": tenantEndpoint({
    summary: "Resend an event with the same ID and body and a new signature",
    response: oneDelivery,
    status: 202,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const id = requireId<WebhookDeliveryId>("Delivery", params.id);
      return { delivery: webhookDeliveryJson(await replayWebhookDelivery(ctx, { id })) };
    },
  }),
};
