import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import { webhookDeliveries } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { WebhookDeliveryId, WebhookId } from "../ids.ts";
import type { PageRequest } from "../page.ts";
import { type SortOrder, sortedPage } from "../sorted-page.server.ts";
import { getWebhook } from "./list-webhooks.server.ts";
import type { WebhookDeliverySort } from "./webhook.ts";

const millis = (instant: AnyColumn | SQL) => sql`(extract(epoch from ${instant}) * 1000)::bigint`;
const attempted = millis(sql`coalesce(${webhookDeliveries.attemptedAt}, ${webhookDeliveries.createdAt})`);

/** Deliveries are deleted after some days, so only the order of time has an index. */
const orders: Record<WebhookDeliverySort, SortOrder | undefined> = {
  newest: undefined,
  attempted: { by: attempted, type: "bigint", descending: true },
  attempted_first: { by: attempted, type: "bigint", descending: false },
  response: { by: sql`coalesce(${webhookDeliveries.lastStatus}, -1)::bigint`, type: "bigint", descending: true },
  // One without a next attempt is last.
  next: {
    by: sql`coalesce(${millis(webhookDeliveries.nextTryAt)}, 100000000000000000)`,
    type: "bigint",
    descending: false,
  },
};

/** Lists a webhook's deliveries, sent and pending, newest first by default. Throws `not_found`. */
export async function listWebhookDeliveries(
  ctx: Ctx<TenantActor>,
  input: PageRequest & { webhookId: WebhookId; sort?: WebhookDeliverySort },
) {
  await getWebhook(ctx, input.webhookId);
  const keyset = sortedPage(input, { order: orders[input.sort ?? "newest"], id: webhookDeliveries.id });
  const rows = await ctx.db
    .select({ ...columns, sortValue: keyset.sortValue })
    .from(webhookDeliveries)
    .where(and(isOwn(ctx), eq(webhookDeliveries.webhookId, input.webhookId), keyset.where))
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map(({ sortValue: _, ...row }) => row) };
}

/** Reads one of the account's deliveries. Throws `not_found`. */
export async function getWebhookDelivery(ctx: Ctx<TenantActor>, id: WebhookDeliveryId) {
  const [delivery] = await ctx.db
    .select(columns)
    .from(webhookDeliveries)
    .where(and(isOwn(ctx), eq(webhookDeliveries.id, id)));
  if (!delivery) throw notFound("Delivery");
  return delivery;
}

function isOwn(ctx: Ctx<TenantActor>) {
  return eq(webhookDeliveries.accountId, ctx.actor.accountId);
}

const columns = {
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
