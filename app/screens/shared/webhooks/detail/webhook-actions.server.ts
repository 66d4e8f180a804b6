import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { WebhookId } from "#app/domain/ids.ts";
import { enableWebhook } from "#app/domain/webhooks/enable-webhook.server.ts";
import { getWebhook } from "#app/domain/webhooks/list-webhooks.server.ts";
import { removeWebhook } from "#app/domain/webhooks/remove-webhook.server.ts";
import { replayWebhookDelivery } from "#app/domain/webhooks/replay-webhook-delivery.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { webhookActionSchema } from "#app/screens/shared/webhooks/webhook-form-schemas.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";

/** Handles the buttons of a webhook's page: test, resend a delivery, resume, and delete. */
export async function handleWebhookAction(
  ctx: Ctx<TenantActor>,
  { request, id, base }: { request: Request; id: WebhookId; base: PortalBase },
) {
  await orThrow404(getWebhook(ctx, id));
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
      case "remove":
        await removeWebhook(ctx, { id });
        return redirectWithFlash(portalHref(base, "/webhooks"), {
          tone: "success",
          message: "Webhook removed. Pending events will not be sent.",
        });
    }
  });
}
