import { and, eq, sql } from "drizzle-orm";
import { encrypt } from "#app/encryption.server.ts";
import { webhooks } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { WebhookId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { getWebhook } from "./list-webhooks.server.ts";
import { secretOverlapHours } from "./webhook.ts";
import { newWebhookSecret, webhookEncryptionContext } from "./webhook-secret.server.ts";

/**
 * Replaces the secret of a webhook. The new secret is returned only here and cannot be read again. For 24 hours the
 * previous one signs too. Within these, another rotation keeps the previous one and drops the one between, which may
 * have been lost: a receiver that has not changed its secret yet goes on. Throws `not_found`.
 */
export async function rotateWebhookSecret(ctx: Ctx<TenantActor>, { id }: { id: WebhookId }) {
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    const now = tx.clock();
    const secret = newWebhookSecret();
    const stillSigns = sql`${webhooks.previousSecretExpiresAt} > ${now.toISOString()}::timestamptz`;
    const [rotated] = await tx.db
      .update(webhooks)
      .set({
        secret: encrypt(secret, webhookEncryptionContext({ id, accountId })),
        previousSecret: sql`case when ${stillSigns} then ${webhooks.previousSecret} else ${webhooks.secret} end`,
        previousSecretExpiresAt: new Date(now.getTime() + secretOverlapHours * 3_600_000),
      })
      .where(and(eq(webhooks.id, id), eq(webhooks.accountId, accountId)))
      .returning({ url: webhooks.url });
    if (!rotated) throw notFound("Webhook");
    await recordAudit(tx, {
      action: "webhook.secret_rotated",
      entity: "webhook",
      entityId: id,
      accountId,
      after: { host: new URL(rotated.url).host },
    });
    return { webhook: await getWebhook(tx, id), secret };
  });
}
