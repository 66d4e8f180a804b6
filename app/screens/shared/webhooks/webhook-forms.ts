import { z } from "zod";
import { idSchema, type WebhookDeliveryId } from "#app/domain/ids.ts";
import { webhookSchema } from "#app/domain/webhooks/webhook-payloads.ts";

/** The form that makes one; sent twice it makes one. */
export const newWebhookForm = webhookSchema.extend({ idempotency_key: z.string().max(200).optional() });

/** The buttons of a webhook's page, told apart by their name. */
export const webhookForms = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("test") }),
  z.object({ intent: z.literal("enable") }),
  z.object({ intent: z.literal("remove") }),
  z.object({ intent: z.literal("replay"), id: idSchema<WebhookDeliveryId>() }),
]);
