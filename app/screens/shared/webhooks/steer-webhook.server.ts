import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { WebhookId } from "#app/domain/ids.ts";
import { enableWebhook } from "#app/domain/webhooks/enable-webhook.server.ts";
import { getWebhook } from "#app/domain/webhooks/list-webhooks.server.ts";
import { removeWebhook } from "#app/domain/webhooks/remove-webhook.server.ts";
import { replayWebhookDelivery } from "#app/domain/webhooks/replay-webhook-delivery.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { orNotFoundPage } from "#app/web/not-found.server.ts";
import { webhookForms } from "./webhook-forms.ts";

/** The buttons of a webhook's page: a test, a delivery again, on again, and its removal. */
export async function steerWebhook(
  ctx: Ctx<TenantActor>,
  { request, id, base }: { request: Request; id: WebhookId; base: PortalBase },
) {
  await orNotFoundPage(getWebhook(ctx, id));
  const page = portalHref(base, `/webhooks/${id}`);
  return submitForm(request, webhookForms, async (form) => {
    switch (form.intent) {
      case "test":
        await testWebhook(ctx, { id });
        return redirectWithFlash(page, { tone: "success", message: "A test is on its way" });
      case "replay":
        await replayWebhookDelivery(ctx, { id: form.id });
        return redirectWithFlash(page, { tone: "success", message: "It is sent again" });
      case "enable":
        await enableWebhook(ctx, { id });
        return redirectWithFlash(page, { tone: "success", message: "The webhook is on again" });
      case "remove":
        await removeWebhook(ctx, { id });
        return redirectWithFlash(portalHref(base, "/webhooks"), {
          tone: "success",
          message: "The webhook is removed. Nothing more is sent to it.",
        });
    }
  });
}
