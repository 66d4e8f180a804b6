import { and, eq, inArray, sql } from "drizzle-orm";
import { accounts, notifications, webhookDeliveries, webhooks } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { type NotificationId, newId, type WebhookDeliveryId } from "../ids.ts";
import { sendWebhookTask } from "./webhook.ts";
import { webhookBody } from "./webhook-body.ts";
import { webhookEventOf } from "./webhook-events.ts";

/**
 * Writes what notices tell the programs of their accounts, and the jobs that send it, in the caller's transaction: for each webhook
 * that is active, wants the event, and whose account is approved. The notice is the event, so that nothing is told twice.
 */
export async function queueWebhooks(ctx: VisitorCtx, notificationIds: readonly NotificationId[]): Promise<void> {
  if (notificationIds.length === 0) return;
  const heard = await ctx.db
    .select({
      webhook: { id: webhooks.id, accountId: webhooks.accountId, events: webhooks.events },
      event: notifications.event,
      notice: {
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
  const queued = heard.flatMap(({ webhook, event: told, notice }) => {
    const event = webhookEventOf(told);
    if (!event || !webhook.events.includes(event)) return [];
    return {
      id: newId<WebhookDeliveryId>(),
      webhookId: webhook.id,
      accountId: webhook.accountId,
      eventId: notice.id,
      event,
      body: webhookBody(notice, event),
      state: "waiting" as const,
      createdAt: now,
      nextTryAt: now,
    };
  });
  if (queued.length === 0) return;
  await ctx.db.insert(webhookDeliveries).values(queued);
  await queueSending(ctx, { ids: queued.map(({ id }) => id) });
}

/** A job for each delivery, in the caller's transaction, in so many seconds; one that waits already is moved to then. */
export async function queueSending(
  ctx: VisitorCtx,
  { ids, inSeconds = 0 }: { ids: readonly WebhookDeliveryId[]; inSeconds?: number },
): Promise<void> {
  if (ids.length === 0) return;
  const { name, priority } = sendWebhookTask;
  await ctx.db.execute(sql`
    select graphile_worker.add_job(${name}, json_build_object('id', delivery.id), job_key => 'webhook ' || delivery.id,
      run_at => now() + make_interval(secs => ${inSeconds}::int), priority => ${priority}::int)
    from unnest(${`{${ids.join(",")}}`}::uuid[]) as delivery (id)`);
}
