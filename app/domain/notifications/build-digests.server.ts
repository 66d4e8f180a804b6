import { and, asc, eq, inArray, min, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { mailSettings, mails, notifications } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { forEachItem } from "../for-each-item.ts";
import type { MailId, UserId } from "../ids.ts";
import { lastOccurrenceOfHour } from "../time-zone.ts";
import { inTransaction } from "../transaction.server.ts";
import { enqueueMailJobs } from "./enqueue-mails.server.ts";
import { digestHour } from "./mail-settings.ts";

/**
 * Builds the daily mail of each person whose digest hour has passed. The newest waiting mail becomes the digest; the
 * others are marked as part of it and the digest is queued, in one transaction. Returns how many digests were built. A
 * person whose digest fails does not keep the others from theirs; the error is thrown in the end.
 */
export async function buildDigests(ctx: Ctx<JobActor>): Promise<number> {
  const people = await ctx.db
    .select({ userId: mails.userId, zone: mailSettings.timeZone, oldest: min(mails.createdAt) })
    .from(mails)
    .leftJoin(mailSettings, eq(mailSettings.userId, mails.userId))
    .where(eq(mails.state, "awaiting_digest"))
    .groupBy(mails.userId, mailSettings.timeZone);
  return forEachItem(ctx, people, {
    kind: "people",
    nameOf: ({ userId }) => userId,
    work: async ({ userId, zone, oldest }) => {
      const until = lastOccurrenceOfHour(ctx.clock(), { hour: digestHour, zone: zone ?? "UTC" });
      if (!oldest || oldest >= until) return false;
      return inTransaction(ctx, (tx) => buildDigest(tx, { userId, until }));
    },
  });
}

/**
 * Builds a claimed digest again if its person has unsubscribed from any of its events since it was built. Returns
 * whether it did: the mail is then not sent, but what is left of it is queued.
 */
export async function rebuildDigest(
  ctx: Ctx<JobActor>,
  { id, userId }: { id: MailId; userId: UserId },
): Promise<boolean> {
  const [unwanted] = await ctx.db
    .select({ id: mails.id })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(and(eq(mails.digestId, id), isUnsubscribed(userId)))
    .limit(1);
  if (!unwanted) return false;
  await inTransaction(ctx, async (tx) => {
    const again = { state: "awaiting_digest", digestId: null } as const;
    const isClaimed = and(eq(mails.id, id), eq(mails.state, "sending"));
    const [claimed] = await tx.db.update(mails).set(again).where(isClaimed).returning({ id: mails.id });
    // The person was erased meanwhile, for example.
    if (!claimed) return;
    await tx.db.update(mails).set(again).where(eq(mails.digestId, id));
    await buildDigest(tx, { userId, until: tx.clock() });
  });
  return true;
}

async function buildDigest(ctx: Ctx<JobActor>, { userId, until }: { userId: UserId; until: Date }): Promise<number> {
  const waiting = await ctx.db
    .select({ id: mails.id, createdAt: mails.createdAt, isUnsubscribed: isUnsubscribed(userId) })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(and(eq(mails.userId, userId), eq(mails.state, "awaiting_digest")))
    .orderBy(asc(mails.id))
    .for("update", { of: mails });
  // Another process built the digest first; newer mails wait for the next day.
  if (!waiting.some(({ createdAt }) => createdAt < until)) return 0;
  const idsFrom = (some: typeof waiting) => some.map(({ id }) => id);
  const ended = idsFrom(waiting.filter((mail) => mail.isUnsubscribed));
  const included = idsFrom(waiting.filter((mail) => !mail.isUnsubscribed));
  if (ended.length > 0) await ctx.db.update(mails).set({ state: "suppressed" }).where(inArray(mails.id, ended));
  const digestId = included.at(-1);
  if (!digestId) return 0;
  await ctx.db
    .update(mails)
    .set({ state: sql`case when ${mails.id} = ${digestId} then 'waiting' else 'in_digest' end`, digestId: digestId })
    .where(inArray(mails.id, included));
  await enqueueMailJobs(ctx, [digestId]);
  return 1;
}

/** Whether the person unsubscribed from the event after the mail was created. */
function isUnsubscribed(userId: UserId) {
  return sqlValue(
    z.boolean(),
    sql`exists (select 1 from mail_settings own where own.user_id = ${userId} and ${notifications.event} = any(own.muted))`,
  );
}
