import { and, count, eq, isNull, ne, type Placeholder, sql } from "drizzle-orm";
import { notifications } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { keysetPage } from "../keyset-page.server.ts";
import type { PageRequest } from "../page.ts";
import { preparedQuery } from "../prepared-query.server.ts";

/** Lists the account's notifications, newest first, without those that are only emails. */
export async function listNotifications(ctx: Ctx<TenantActor>, input: PageRequest & { unreadOnly?: boolean }) {
  const keyset = keysetPage(input, notifications.id);
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
    .where(
      and(
        isOwn(ctx.actor.accountId, input.unreadOnly ?? false),
        ne(notifications.event, "email_confirmation"),
        keyset.where,
      ),
    )
    .orderBy(keyset.order)
    .limit(keyset.limit);
  return keyset.page(rows);
}

/** The count stops here. */
const maxCounted = 100;

/** Counts the account's unread notifications, up to 100. Every page of the portals calls this. */
export async function countUnread(ctx: Ctx<TenantActor>): Promise<number> {
  const [row] = await unreadFor(ctx.db).execute({ accountId: ctx.actor.accountId });
  return row?.count ?? 0;
}

const unreadFor = preparedQuery((db) => {
  const unread = db
    .select({ one: sql`1`.as("one") })
    .from(notifications)
    .where(isOwn(sql.placeholder("accountId"), true))
    .limit(maxCounted)
    .as("some");
  return db.select({ count: count() }).from(unread).prepare("count_unread");
});

function isOwn(accountId: AccountId | Placeholder, unreadOnly: boolean) {
  return and(eq(notifications.accountId, accountId), unreadOnly ? isNull(notifications.readAt) : undefined);
}
