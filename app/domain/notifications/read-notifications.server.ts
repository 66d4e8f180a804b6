import { and, eq, isNull } from "drizzle-orm";
import { notifications } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { NotificationId } from "../ids.ts";

/** Marks a notice as read, for all of the account's people; gives what it says. Throws `not_found`. */
export async function readNotification(ctx: Ctx<TenantActor>, { id }: { id: NotificationId }) {
  const own = and(eq(notifications.id, id), eq(notifications.accountId, ctx.actor.accountId));
  const [found] = await ctx.db
    .select({
      event: notifications.event,
      campaignId: notifications.campaignId,
      subjectId: notifications.subjectId,
      facts: notifications.facts,
    })
    .from(notifications)
    .where(own);
  if (!found) throw notFound("Notification");
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.clock() })
    .where(and(own, isNull(notifications.readAt)));
  return found;
}

/** Marks all that the account was told as read. */
export async function readAllNotifications(ctx: Ctx<TenantActor>): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.clock() })
    .where(and(eq(notifications.accountId, ctx.actor.accountId), isNull(notifications.readAt)));
}
