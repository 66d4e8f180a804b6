import { eq } from "drizzle-orm";
import { encrypt } from "#app/encryption.server.ts";
import { checkOutboundUrl } from "#app/outbound/check-outbound-url.server.ts";
import { webhooks } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError, invalidInput } from "../errors.ts";
import { newId, type WebhookId } from "../ids.ts";
import { lockCreation } from "../lock-creation.server.ts";
import { inTransaction } from "../transaction.server.ts";
import { maxWebhooks } from "./webhook.ts";
import type { NewWebhook } from "./webhook-payloads.ts";
import { newWebhookSecret, webhookEncryptionContext } from "./webhook-secret.server.ts";

/** Throws `invalid_input` for a URL that is not https or not public, for which its name is looked up. */
export async function checkWebhookUrl({ url }: Pick<NewWebhook, "url">): Promise<void> {
  const problem = await checkOutboundUrl(new URL(url));
  if (problem === "not_https") throw invalidInput({ url: ["Enter a URL that begins with https://"] });
  if (problem) throw invalidInput({ url: ["Enter a publicly reachable URL"] });
}

/**
 * Creates a webhook of the account, whose URL `checkWebhookUrl` has checked. The secret is returned only here and
 * cannot be read again. Throws `limit_reached` after ten webhooks, and `invalid_transition` when the account is closed.
 */
export async function createWebhook(ctx: Ctx<TenantActor>, { url, events }: NewWebhook) {
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    await requireOpenAccount(tx, accountId);
    await lockCreation(tx, "webhooks", accountId);
    if ((await tx.db.$count(webhooks, eq(webhooks.accountId, accountId))) >= maxWebhooks) {
      throw new DomainError("limit_reached", `You've reached the limit of ${maxWebhooks} webhooks. Remove one first.`);
    }
    const id = newId<WebhookId>();
    const secret = newWebhookSecret();
    const createdAt = tx.clock();
    await tx.db.insert(webhooks).values({
      id,
      accountId,
      url,
      events,
      createdAt,
      secret: encrypt(secret, webhookEncryptionContext({ id, accountId })),
      createdBy: tx.actor.userId,
    });
    await recordAudit(tx, {
      action: "webhook.created",
      entity: "webhook",
      entityId: id,
      accountId,
      after: { host: new URL(url).host, events },
    });
    const webhook = { id, url, events, state: "active" as const, createdAt, previousSecretExpiresAt: null };
    return { webhook, secret };
  });
}
