import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { notifications } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { NotificationId } from "../ids.ts";

/** Marks a notification as read for all users of the account. Returns its content; undefined when it does not exist. */
export async function markNotificationRead(ctx: Ctx<TenantActor>, { id }: { id: NotificationId }) {
  const [read] = await ctx.db
    .update(notifications)
    .set({ readAt: sql`coalesce(${notifications.readAt}, ${ctx.clock().toISOString()}::timestamptz)` })
    .where(and(eq(notifications.id, id), eq(notifications.accountId, ctx.actor.accountId)))
    .returning({
      event: notifications.event,
      campaignId: notifications.campaignId,
      subjectId: notifications.subjectId,
      facts: notifications.facts,
    });
  return read;
}

/** Marks the account's notifications as read that were there at `until`: one that came later has not been seen. */
export async function markAllNotificationsRead(ctx: Ctx<TenantActor>, { until }: { until: Date }): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.clock() })
    .where(
      and(
        eq(notifications.accountId, ctx.actor.accountId),
        isNull(notifications.readAt),
        lte(notifications.createdAt, until),
      ),
    );
}
