import { and, eq, ne } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { WebhookDeliveryId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { getWebhookDelivery } from "./list-webhook-deliveries.server.ts";
import { queueSending } from "./queue-webhooks.server.ts";

/**
 * Sends an event again, at once and with all its tries: the same id and the same body under a new signature. One that is being sent
 * stays as it is. Throws `not_found`, and `invalid_transition` when the webhook is switched off.
 */
export async function replayWebhookDelivery(ctx: Ctx<TenantActor>, { id }: { id: WebhookDeliveryId }) {
  return inTransaction(ctx, async (tx) => {
    const { webhookId } = await getWebhookDelivery(tx, id);
    const [webhook] = await tx.db
      .select({ state: webhooks.state })
      .from(webhooks)
      .where(and(eq(webhooks.id, webhookId), eq(webhooks.accountId, tx.actor.accountId)));
    if (webhook?.state !== "active") throw new DomainError("invalid_transition", "Switch the webhook on first");
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
    await queueSending(tx, { ids: replayed.map((delivery) => delivery.id) });
    return getWebhookDelivery(tx, id);
  });
}
