import { and, eq, inArray, sql } from "drizzle-orm";
import { pgArray } from "#db/query-rows.server.ts";
import { accounts, notifications, webhookDeliveries, webhooks } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { type NotificationId, newId, type WebhookDeliveryId } from "../ids.ts";
import { rowsPerInsert, slicesOf } from "../slices-of.ts";
import { sendWebhookTask } from "./webhook.ts";
import { webhookBody } from "./webhook-body.ts";
import { toWebhookEvent } from "./webhook-events.ts";

/**
 * Inserts the webhook deliveries for these notifications and the jobs that send them, in the caller's transaction: one
 * for each active webhook that subscribes to the event and whose account is approved. The notification's ID is the
 * event's ID, so that no event is enqueued twice.
 */
export async function enqueueWebhookDeliveries(
  ctx: VisitorCtx,
  notificationIds: readonly NotificationId[],
): Promise<void> {
  if (notificationIds.length === 0) return;
  const subscribed = await ctx.db
    .select({
      webhook: { id: webhooks.id, accountId: webhooks.accountId, events: webhooks.events },
      event: notifications.event,
      notification: {
        id: notifications.id,
        campaignId: notifications.campaignId,
        subjectId: notifications.subjectId,
        facts: notifications.facts,
        createdAt: notifications.createdAt,
      },
    })
    .from(notifications)
    .innerJoin(webhooks, and(eq(webhooks.accountId, notifications.accountId), eq(webhooks.state, "active")))
    .innerJoin(accounts, and(eq(accounts.id, webhooks.accountId), eq(accounts.status, "approved")))
    .where(inArray(notifications.id, [...notificationIds]))
    .orderBy(notifications.id, webhooks.id);
  const now = ctx.clock();
  const queued = subscribed.flatMap(({ webhook, event: notificationEvent, notification }) => {
    const event = toWebhookEvent(notificationEvent);
    if (!event || !webhook.events.includes(event)) return [];
    return {
      id: newId<WebhookDeliveryId>(),
      webhookId: webhook.id,
      accountId: webhook.accountId,
      eventId: notification.id,
      event,
      body: webhookBody(notification, event),
      state: "waiting" as const,
      createdAt: now,
      nextTryAt: now,
    };
  });
  for (const slice of slicesOf(queued, rowsPerInsert)) await ctx.db.insert(webhookDeliveries).values(slice);
  await enqueueWebhookJobs(ctx, { ids: queued.map(({ id }) => id) });
}

/**
 * Enqueues a job for each delivery, in the caller's transaction, that runs after `inSeconds`. An existing job is
 * rescheduled.
 */
export async function enqueueWebhookJobs(
  ctx: VisitorCtx,
  { ids, inSeconds = 0 }: { ids: readonly WebhookDeliveryId[]; inSeconds?: number },
): Promise<void> {
  if (ids.length === 0) return;
  const { name, priority } = sendWebhookTask;
  await ctx.db.execute(sql`
    select graphile_worker.add_job(${name}, json_build_object('id', delivery.id), job_key => 'webhook ' || delivery.id,
      run_at => now() + make_interval(secs => ${inSeconds}::int), priority => ${priority}::int)
    from unnest(${pgArray(ids)}::uuid[]) as delivery (id)`);
}
