import { and, eq } from "drizzle-orm";
import { webhooks } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { WebhookId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { getWebhook } from "./list-webhooks.server.ts";

/** Re-enables a webhook for future events. No effect on an active webhook. Throws `not_found`. */
export async function enableWebhook(ctx: Ctx<TenantActor>, { id }: { id: WebhookId }) {
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const [enabled] = await tx.db
      .update(webhooks)
      .set({ state: "active", consecutiveFailures: 0 })
      .where(and(eq(webhooks.id, id), eq(webhooks.accountId, accountId), eq(webhooks.state, "disabled")))
      .returning({ url: webhooks.url });
    if (enabled) {
      await recordAudit(tx, {
        action: "webhook.enabled",
        entity: "webhook",
        entityId: id,
        accountId,
        after: { host: new URL(enabled.url).host },
      });
    }
    return getWebhook(tx, id);
  });
}
