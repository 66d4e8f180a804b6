import { and, eq } from "drizzle-orm";
import { webhooks } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { WebhookId } from "../ids.ts";
import { keysetPage } from "../keyset-page.server.ts";
import type { PageRequest } from "../page.ts";

/** Lists the account's webhooks, newest first, without their secrets. */
export async function listWebhooks(ctx: Ctx<TenantActor>, input: PageRequest) {
  const keyset = keysetPage(input, webhooks.id);
  const rows = await ctx.db
    .select(columns)
    .from(webhooks)
    .where(and(eq(webhooks.accountId, ctx.actor.accountId), keyset.where))
    .orderBy(keyset.order)
    .limit(keyset.limit);
  return keyset.page(rows.map((row) => withoutExpired(ctx, row)));
}

/** Reads one of the account's webhooks. Throws `not_found`. */
export async function getWebhook(ctx: Ctx<TenantActor>, id: WebhookId) {
  const [webhook] = await ctx.db
    .select(columns)
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.accountId, ctx.actor.accountId)));
  if (!webhook) throw notFound("Webhook");
  return withoutExpired(ctx, webhook);
}

/** A previous secret that has expired signs no longer, also before a job deletes it. */
function withoutExpired<T extends { previousSecretExpiresAt: Date | null }>(ctx: Ctx<TenantActor>, webhook: T): T {
  const { previousSecretExpiresAt: at } = webhook;
  return { ...webhook, previousSecretExpiresAt: at && at > ctx.clock() ? at : null };
}

const columns = {
  id: webhooks.id,
  url: webhooks.url,
  events: webhooks.events,
  state: webhooks.state,
  createdAt: webhooks.createdAt,
  /** Until when the previous secret signs too; null when only the current one does. */
  previousSecretExpiresAt: webhooks.previousSecretExpiresAt,
};

export type ListedWebhook = Awaited<ReturnType<typeof getWebhook>>;
