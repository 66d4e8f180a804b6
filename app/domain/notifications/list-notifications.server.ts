import { and, eq, isNull, sql } from "drizzle-orm";
import { notifications } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";

/** What the account was told, newest first. */
export async function listNotifications(ctx: Ctx<TenantActor>, input: PageRequest & { unreadOnly?: boolean }) {
  const newest = newestFirst(input, notifications.id);
  const rows = await ctx.db
    .select({
      id: notifications.id,
      event: notifications.event,
      campaignId: notifications.campaignId,
      subjectId: notifications.subjectId,
      facts: notifications.facts,
      createdAt: notifications.createdAt,
      readAt: notifications.readAt,
    })
    .from(notifications)
    .where(and(ownUnread(ctx, input.unreadOnly ?? false), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  return newest.page(rows);
}

/** The most that are counted: who has more knows enough. */
const mostCounted = 100;

/** How many the account has not read, 100 at most: every page of the portals asks. */
export async function countUnread(ctx: Ctx<TenantActor>): Promise<number> {
  const some = ctx.db.select({ one: sql`1` }).from(notifications).where(ownUnread(ctx, true)).limit(mostCounted);
  return ctx.db.$count(some.as("some"));
}

function ownUnread(ctx: Ctx<TenantActor>, unreadOnly: boolean) {
  return and(eq(notifications.accountId, ctx.actor.accountId), unreadOnly ? isNull(notifications.readAt) : undefined);
}
