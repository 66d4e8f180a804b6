import { eq, sql } from "drizzle-orm";
import { checkTarget } from "#app/outbound/check-target.server.ts";
import { seal } from "#app/sealed.server.ts";
import { webhooks } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError, invalidInput } from "../errors.ts";
import { newId, type WebhookId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { mostWebhooks } from "./webhook.ts";
import type { NewWebhook } from "./webhook-payloads.ts";
import { newWebhookSecret, placeOf } from "./webhook-secret.server.ts";

/**
 * Makes a webhook of the account. The secret is in this answer and nowhere else that can be read. Throws `invalid_input` for an
 * address that is not https or not of the public net, and `limit_reached` after ten.
 */
export async function createWebhook(ctx: Ctx<TenantActor>, { url, events }: NewWebhook) {
  const problem = await checkTarget(new URL(url));
  if (problem === "not_https") throw invalidInput({ url: ["Enter an address that begins with https://"] });
  if (problem) throw invalidInput({ url: ["Enter an address of the public internet"] });
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    // One is made at a time, so that ten are ten.
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`webhooks ${accountId}`}))`);
    if ((await tx.db.$count(webhooks, eq(webhooks.accountId, accountId))) >= mostWebhooks) {
      throw new DomainError("limit_reached", `An account has at most ${mostWebhooks} webhooks`);
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
      secret: seal(secret, placeOf({ id, accountId })),
      createdBy: tx.actor.userId,
    });
    await recordAudit(tx, {
      action: "webhook.created",
      entity: "webhook",
      entityId: id,
      accountId,
      after: { host: new URL(url).host, events },
    });
    return { webhook: { id, url, events, state: "active" as const, createdAt }, secret };
  });
}
