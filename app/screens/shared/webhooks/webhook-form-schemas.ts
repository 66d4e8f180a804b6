import { z } from "zod";
import { idSchema, type WebhookDeliveryId } from "#app/domain/ids.ts";
import { webhookSchema } from "#app/domain/webhooks/webhook-payloads.ts";

/** The form that creates a webhook; a repeated submission creates only one. */
export const newWebhookFormSchema = webhookSchema.extend({ idempotency_key: z.string().max(200).optional() });

/** The actions of a webhook's page, distinguished by button. */
export const webhookActionSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("test") }),
  z.object({ intent: z.literal("enable") }),
  z.object({ intent: z.literal("rotate-secret"), idempotency_key: z.string().max(200).optional() }),
  z.object({ intent: z.literal("remove") }),
  z.object({ intent: z.literal("replay"), id: idSchema<WebhookDeliveryId>() }),
]);
