import { and, eq, ne } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { WebhookDeliveryId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { enqueueWebhookJobs } from "./enqueue-webhook-deliveries.server.ts";
import { getWebhookDelivery } from "./list-webhook-deliveries.server.ts";

/**
 * Sends an event again, immediately and with all its attempts: the same ID and body under a new signature. No effect
 * while the delivery is being sent. Throws `not_found`, and `invalid_transition` when the webhook is disabled.
 */
export async function replayWebhookDelivery(ctx: Ctx<TenantActor>, { id }: { id: WebhookDeliveryId }) {
  return inTransaction(ctx, async (tx) => {
    const { webhookId } = await getWebhookDelivery(tx, id);
    const [webhook] = await tx.db
      .select({ state: webhooks.state })
      .from(webhooks)
      .where(and(eq(webhooks.id, webhookId), eq(webhooks.accountId, tx.actor.accountId)));
    if (webhook?.state !== "active") throw new DomainError("invalid_transition", "Enable the webhook first");
    const replayed = await tx.db
      .update(webhookDeliveries)
      .set({ state: "waiting", attempts: 0, nextTryAt: tx.clock(), deliveredAt: null })
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.accountId, tx.actor.accountId),
          ne(webhookDeliveries.state, "sending"),
        ),
      )
      .returning({ id: webhookDeliveries.id });
    await enqueueWebhookJobs(tx, { ids: replayed.map((delivery) => delivery.id) });
    return getWebhookDelivery(tx, id);
  });
}
