import { data } from "@remix-run/node";
import { z } from "zod";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { deleteIdempotently, findUnlessDeleted } from "#app/domain/idempotency/delete-idempotently.server.ts";
import type { WebhookId } from "#app/domain/ids.ts";
import { enableWebhook } from "#app/domain/webhooks/enable-webhook.server.ts";
import { getWebhook } from "#app/domain/webhooks/list-webhooks.server.ts";
import { removeWebhook } from "#app/domain/webhooks/remove-webhook.server.ts";
import { replayWebhookDelivery } from "#app/domain/webhooks/replay-webhook-delivery.server.ts";
import { rotateWebhookSecret } from "#app/domain/webhooks/rotate-webhook-secret.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { webhookActionSchema } from "#app/screens/shared/webhooks/webhook-form-schemas.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";

/**
 * Handles the buttons of a webhook's page: test, resend a delivery, enable, rotate the secret, and remove. The response
 * to a rotation has the secret, because no later page could show it.
 */
export async function handleWebhookAction(
  ctx: Ctx<TenantActor>,
  { request, id, base }: { request: Request; id: WebhookId; base: PortalBase },
) {
  await orThrow404(findUnlessDeleted(ctx, { id }, getWebhook(ctx, id)));
  const page = portalHref(base, `/webhooks/${id}`);
  return handleForm(request, webhookActionSchema, async (form) => {
    switch (form.intent) {
      case "test":
        await testWebhook(ctx, { id });
        return redirectWithFlash(page, { tone: "success", message: "Test event sent" });
      case "replay":
        await replayWebhookDelivery(ctx, { id: form.id });
        return redirectWithFlash(page, { tone: "success", message: "Event queued for resending" });
      case "enable":
        await enableWebhook(ctx, { id });
        return redirectWithFlash(page, { tone: "success", message: "Webhook enabled" });
      case "rotate-secret":
        return data({ rotated: await rotateOnce(ctx, id, form.idempotency_key) }, { headers: noStore });
      case "remove":
        await deleteIdempotently(ctx, { id, schema: z.object({}) }, async (once) => {
          await removeWebhook(once, { id });
          return {};
        });
        return redirectWithFlash(portalHref(base, "/webhooks"), {
          tone: "success",
          message: "Webhook removed. Pending events will not be sent.",
        });
    }
  });
}

const noStore = { "Cache-Control": "no-store" };

/** Rotates the secret once per form, however often it is sent; a repetition gets no secret. */
async function rotateOnce(ctx: Ctx<TenantActor>, id: WebhookId, key: string | undefined): Promise<{ secret?: string }> {
  const rotated: { secret?: string } = {};
  await createIdempotently(ctx, { key, values: { rotated: id } }, async (once) => {
    const { webhook, secret } = await rotateWebhookSecret(once, { id });
    rotated.secret = secret;
    return webhook;
  });
  return rotated;
}
