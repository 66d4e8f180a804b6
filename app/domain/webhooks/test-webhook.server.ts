import { webhookDeliveries } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { newId, type WebhookDeliveryId, type WebhookId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { enqueueWebhookJobs } from "./enqueue-webhook-deliveries.server.ts";
import { getWebhook } from "./list-webhooks.server.ts";
import { testEvent } from "./webhook.ts";
import { testBody } from "./webhook-body.ts";

/**
 * Sends a test event without data. Throws `not_found`, and `invalid_transition` when the webhook is disabled or the
 * account is closed.
 */
export async function testWebhook(
  ctx: Ctx<TenantActor>,
  { id: webhookId }: { id: WebhookId },
): Promise<{ id: WebhookDeliveryId }> {
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    await requireOpenAccount(tx, accountId);
    const { state } = await getWebhook(tx, webhookId);
    if (state !== "active") throw new DomainError("invalid_transition", "Enable the webhook first");
    const id = newId<WebhookDeliveryId>();
    const eventId = newId<WebhookDeliveryId>();
    const now = tx.clock();
    await tx.db.insert(webhookDeliveries).values({
      id,
      webhookId,
      accountId,
      eventId,
      event: testEvent,
      body: testBody(eventId, now),
      state: "waiting" as const,
      createdAt: now,
      nextTryAt: now,
    });
    await enqueueWebhookJobs(tx, { ids: [id] });
    return { id };
  });
}
