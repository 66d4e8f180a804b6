import { and, eq } from "drizzle-orm";
import { webhooks } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { WebhookId } from "../ids.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";

/** The account's webhooks, newest first. No secret is among what is read. */
export async function listWebhooks(ctx: Ctx<TenantActor>, input: PageRequest) {
  const newest = newestFirst(input, webhooks.id);
  const rows = await ctx.db
    .select(shown)
    .from(webhooks)
    .where(and(eq(webhooks.accountId, ctx.actor.accountId), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  return newest.page(rows);
}

/** One of them. Throws `not_found`. */
export async function getWebhook(ctx: Ctx<TenantActor>, id: WebhookId) {
  const [webhook] = await ctx.db
    .select(shown)
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.accountId, ctx.actor.accountId)));
  if (!webhook) throw notFound("Webhook");
  return webhook;
}

const shown = {
  id: webhooks.id,
  url: webhooks.url,
  events: webhooks.events,
  state: webhooks.state,
  createdAt: webhooks.createdAt,
};

export type ListedWebhook = Awaited<ReturnType<typeof getWebhook>>;
