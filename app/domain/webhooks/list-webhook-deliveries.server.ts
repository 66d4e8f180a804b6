import { and, eq } from "drizzle-orm";
import { webhookDeliveries } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { WebhookDeliveryId, WebhookId } from "../ids.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";
import { getWebhook } from "./list-webhooks.server.ts";

/** What was sent to a webhook of the account, or will be, newest first. Throws `not_found`. */
export async function listWebhookDeliveries(ctx: Ctx<TenantActor>, input: PageRequest & { webhookId: WebhookId }) {
  await getWebhook(ctx, input.webhookId);
  const newest = newestFirst(input, webhookDeliveries.id);
  const rows = await ctx.db
    .select(shown)
    .from(webhookDeliveries)
    .where(and(own(ctx), eq(webhookDeliveries.webhookId, input.webhookId), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  return newest.page(rows);
}

/** One of the account's. Throws `not_found`. */
export async function getWebhookDelivery(ctx: Ctx<TenantActor>, id: WebhookDeliveryId) {
  const [delivery] = await ctx.db
    .select(shown)
    .from(webhookDeliveries)
    .where(and(own(ctx), eq(webhookDeliveries.id, id)));
  if (!delivery) throw notFound("Delivery");
  return delivery;
}

function own(ctx: Ctx<TenantActor>) {
  return eq(webhookDeliveries.accountId, ctx.actor.accountId);
}

const shown = {
  id: webhookDeliveries.id,
  webhookId: webhookDeliveries.webhookId,
  eventId: webhookDeliveries.eventId,
  event: webhookDeliveries.event,
  body: webhookDeliveries.body,
  state: webhookDeliveries.state,
  attempts: webhookDeliveries.attempts,
  lastStatus: webhookDeliveries.lastStatus,
  lastError: webhookDeliveries.lastError,
  createdAt: webhookDeliveries.createdAt,
  attemptedAt: webhookDeliveries.attemptedAt,
  nextTryAt: webhookDeliveries.nextTryAt,
  deliveredAt: webhookDeliveries.deliveredAt,
};

export type ListedWebhookDelivery = Awaited<ReturnType<typeof getWebhookDelivery>>;
