import { z } from "zod";
import type { WebhookDeliveryId, WebhookId } from "#app/domain/ids.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { enableWebhook } from "#app/domain/webhooks/enable-webhook.server.ts";
import { getWebhookDelivery, listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { getWebhook, listWebhooks } from "#app/domain/webhooks/list-webhooks.server.ts";
import { removeWebhook } from "#app/domain/webhooks/remove-webhook.server.ts";
import { replayWebhookDelivery } from "#app/domain/webhooks/replay-webhook-delivery.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import { webhookSchema } from "#app/domain/webhooks/webhook-payloads.ts";
import { tenantCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { webhookDeliveryJson, webhookDeliveryShape, webhookJson, webhookShape } from "../webhook-json.ts";
import { done, doneShape, pageAnswer, pageQuery } from "../wire.ts";

const one = z.object({ webhook: webhookShape });
const oneDelivery = z.object({ delivery: webhookDeliveryShape });

/** Where both sides' programs are told of events, and what came of it. */
export const webhookCalls = {
  "GET /api/webhooks": tenantCall({
    summary: "The account's webhooks, newest first",
    query: z.object(pageQuery),
    answer: z.object({ webhooks: z.array(webhookShape), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = await listWebhooks(ctx, query);
      return { webhooks: page.rows.map(webhookJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/webhooks": tenantCall({
    summary: "Make a webhook. Its secret is in this answer and nowhere else",
    body: webhookSchema,
    answer: z.object({
      webhook: webhookShape.extend({ secret: z.string().optional().describe("Left out of a repeated answer") }),
    }),
    status: 201,
    shownOnce: ["secret"],
    run: async ({ ctx, body }) => {
      const { webhook, secret } = await createWebhook(ctx, body);
      return { webhook: { ...webhookJson(webhook), secret } };
    },
  }),
  "DELETE /api/webhooks": tenantCall({
    summary: "Remove a webhook, named in the query. What waits is not sent",
    query: z.object({ id: z.string("Say which webhook") }),
    answer: z.object(doneShape),
    run: async ({ ctx, query }) => {
      await removeWebhook(ctx, { id: requireId<WebhookId>("Webhook", query.id) });
      return done;
    },
  }),
  "GET /api/webhooks/{id}": tenantCall({
    summary: "One webhook",
    answer: one,
    run: async ({ ctx, params }) => ({
      webhook: webhookJson(await getWebhook(ctx, requireId<WebhookId>("Webhook", params.id))),
    }),
  }),
  "DELETE /api/webhooks/{id}": tenantCall({
    summary: "Remove a webhook. What waits is not sent",
    answer: z.object(doneShape),
    run: async ({ ctx, params }) => {
      await removeWebhook(ctx, { id: requireId<WebhookId>("Webhook", params.id) });
      return done;
    },
  }),
  "POST /api/webhooks/{id}/enable": tenantCall({
    summary: "Switch a webhook on again",
    answer: one,
    run: async ({ ctx, params }) => ({
      webhook: webhookJson(await enableWebhook(ctx, { id: requireId<WebhookId>("Webhook", params.id) })),
    }),
  }),
  "POST /api/webhooks/{id}/test": tenantCall({
    summary: "Send a `webhook.test` event",
    answer: oneDelivery,
    status: 202,
    run: async ({ ctx, params }) => {
      const { id } = await testWebhook(ctx, { id: requireId<WebhookId>("Webhook", params.id) });
      return { delivery: webhookDeliveryJson(await getWebhookDelivery(ctx, id)) };
    },
  }),
  "GET /api/webhooks/{id}/deliveries": tenantCall({
    summary: "What was sent to a webhook, or will be, newest first; kept for 30 days",
    query: z.object(pageQuery),
    answer: z.object({ deliveries: z.array(webhookDeliveryShape), ...pageAnswer }),
    run: async ({ ctx, params, query }) => {
      const webhookId = requireId<WebhookId>("Webhook", params.id);
      const page = await listWebhookDeliveries(ctx, { ...query, webhookId });
      return { deliveries: page.rows.map(webhookDeliveryJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/webhook-deliveries/{id}/replay": tenantCall({
    summary: "Send an event again: the same id and body, under a new signature",
    answer: oneDelivery,
    status: 202,
    run: async ({ ctx, params }) => {
      const id = requireId<WebhookDeliveryId>("Delivery", params.id);
      return { delivery: webhookDeliveryJson(await replayWebhookDelivery(ctx, { id })) };
    },
  }),
};
