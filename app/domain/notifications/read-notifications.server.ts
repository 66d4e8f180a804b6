import { and, eq, isNull, sql } from "drizzle-orm";
import { notifications } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { NotificationId } from "../ids.ts";

/** Marks a notice as read, for all of the account's people; gives what it says, and undefined when it is not there. */
export async function readNotification(ctx: Ctx<TenantActor>, { id }: { id: NotificationId }) {
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

/** Marks all that the account was told as read. */
export async function readAllNotifications(ctx: Ctx<TenantActor>): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.clock() })
    .where(and(eq(notifications.accountId, ctx.actor.accountId), isNull(notifications.readAt)));
}
