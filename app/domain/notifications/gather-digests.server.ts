import { and, asc, eq, inArray, min, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { mailSettings, mails, notifications } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import type { UserId } from "../ids.ts";
import { lastAtHour } from "../time-zone.ts";
import { inTransaction } from "../transaction.server.ts";
import { digestHour } from "./mail-settings.ts";
import { queueSending } from "./queue-mails.server.ts";

/**
 * Makes one mail of all that waits for a person's daily mail, when its eight o'clock has come. The newest of them carries the
 * others: in one transaction they are marked as carried, and it is queued. Gives how many mails were made.
 */
export async function gatherDigests(ctx: Ctx<JobActor>): Promise<number> {
  const people = await ctx.db
    .select({ userId: mails.userId, zone: mailSettings.timeZone, oldest: min(mails.createdAt) })
    .from(mails)
    .leftJoin(mailSettings, eq(mailSettings.userId, mails.userId))
    .where(eq(mails.state, "gathering"))
    .groupBy(mails.userId, mailSettings.timeZone);
  let made = 0;
  for (const { userId, zone, oldest } of people) {
    const until = lastAtHour(ctx.clock(), { hour: digestHour, zone: zone ?? "UTC" });
    if (oldest && oldest < until) made += await inTransaction(ctx, (tx) => gather(tx, { userId, until }));
  }
  return made;
}

async function gather(ctx: Ctx<JobActor>, { userId, until }: { userId: UserId; until: Date }): Promise<number> {
  const waiting = await ctx.db
    .select({ id: mails.id, createdAt: mails.createdAt, isEnded: isEnded(userId) })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(and(eq(mails.userId, userId), eq(mails.state, "gathering")))
    .orderBy(asc(mails.id))
    .for("update", { of: mails });
  // Another process was first, and what came since waits for tomorrow.
  if (!waiting.some(({ createdAt }) => createdAt < until)) return 0;
  const idsOf = (some: typeof waiting) => some.map(({ id }) => id);
  const ended = idsOf(waiting.filter((mail) => mail.isEnded));
  const carried = idsOf(waiting.filter((mail) => !mail.isEnded));
  if (ended.length > 0) await ctx.db.update(mails).set({ state: "kept" }).where(inArray(mails.id, ended));
  const carrier = carried.at(-1);
  if (!carrier) return 0;
  await ctx.db
    .update(mails)
    .set({ state: sql`case when ${mails.id} = ${carrier} then 'waiting' else 'gathered' end`, digestId: carrier })
    .where(inArray(mails.id, carried));
  await queueSending(ctx, [carrier]);
  return 1;
}

/** The person ended mails of that event after this one came. */
function isEnded(userId: UserId) {
  return sqlValue(
    z.boolean(),
    sql`exists (select 1 from mail_settings own where own.user_id = ${userId} and ${notifications.event} = any(own.muted))`,
  );
}
