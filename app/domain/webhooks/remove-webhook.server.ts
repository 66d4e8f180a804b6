import { and, eq } from "drizzle-orm";
import { webhooks } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { WebhookId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";

/** Removes a webhook and its deliveries; pending deliveries are not sent. Throws `not_found`. */
export async function removeWebhook(ctx: Ctx<TenantActor>, { id }: { id: WebhookId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const [removed] = await tx.db
      .delete(webhooks)
      .where(and(eq(webhooks.id, id), eq(webhooks.accountId, accountId)))
      .returning({ url: webhooks.url, events: webhooks.events });
    if (!removed) throw notFound("Webhook");
    await recordAudit(tx, {
      action: "webhook.removed",
      entity: "webhook",
      entityId: id,
      accountId,
      before: { host: new URL(removed.url).host, events: removed.events },
    });
  });
}
