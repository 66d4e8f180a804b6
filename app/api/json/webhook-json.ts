import { z } from "zod";
import { timeOrNull, wire } from "#app/api/wire.ts";
import type { ListedWebhookDelivery } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import type { ListedWebhook } from "#app/domain/webhooks/list-webhooks.server.ts";
import { webhookDeliveryStates, webhookStates } from "#app/domain/webhooks/webhook.ts";
import { webhookEvents } from "#app/domain/webhooks/webhook-events.ts";

export const webhookJsonSchema = z.object({
  id: wire.id,
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  state: z.enum(webhookStates).describe("`disabled` after three failed deliveries in a row"),
  created_at: wire.time,
  previous_secret_expires_at: wire.time
    .nullable()
    .describe("Until when deliveries are also signed with the secret before a rotation"),
});

export function webhookJson({ id, url, events, state, createdAt, previousSecretExpiresAt }: ListedWebhook) {
  return {
    id,
    url,
    events,
    state,
    created_at: createdAt.toISOString(),
    previous_secret_expires_at: timeOrNull(previousSecretExpiresAt),
  };
}

export const webhookDeliveryJsonSchema = z.object({
  id: wire.id,
  webhook_id: wire.id,
  event_id: wire.id.describe("Same for every attempt and resend"),
  event: z.string(),
  body: z.string().describe("Exact request body"),
  state: z.enum(webhookDeliveryStates),
  attempts: wire.count,
  last_status: z.int().nullable().describe("HTTP status of the last response"),
  last_error: z.string().nullable(),
  created_at: wire.time,
  attempted_at: wire.time.nullable(),
  next_try_at: wire.time.nullable(),
  delivered_at: wire.time.nullable(),
});

export function webhookDeliveryJson(row: ListedWebhookDelivery) {
  return {
    id: row.id,
    webhook_id: row.webhookId,
    event_id: row.eventId,
    event: row.event,
    body: row.body,
    state: row.state,
    attempts: row.attempts,
    last_status: row.lastStatus,
    last_error: row.lastError,
    created_at: row.createdAt.toISOString(),
    attempted_at: timeOrNull(row.attemptedAt),
    next_try_at: timeOrNull(row.nextTryAt),
    delivered_at: timeOrNull(row.deliveredAt),
  };
}
