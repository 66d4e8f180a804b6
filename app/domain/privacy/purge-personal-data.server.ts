import { and, asc, eq, inArray, isNull, lt, ne, notExists, or, sql } from "drizzle-orm";
import { isSameAddress } from "#app/domain/accounts/is-same-address.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { parseId, type ReportSendingId } from "#app/domain/ids.ts";
import { batchSize, inBatches } from "#app/domain/in-batches.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { erasures, mailSuppressions, mails, notifications, reportSendings, sessions, users } from "#db/schema/index.ts";
import type { RetentionDays } from "./retention.ts";

const dayMs = 86_400_000;
/** The mail neither waits to be sent nor is being sent. */
const endedStates = ["sent", "suppressed", "in_digest", "failed"] as const;

/**
 * Deletes what is older than its retention: the addresses of mails, those that emails no longer go to or were
 * confirmed, notifications with the record of their mails and what reports sent, and people who signed in but never
 * registered. Returns the number of rows.
 */
export async function purgePersonalData(ctx: Ctx<JobActor>, { days }: { days: RetentionDays }): Promise<number> {
  const before = (count: number) => new Date(ctx.clock().getTime() - count * dayMs);
  const addresses = await inBatches(ctx, () => clearAddresses(ctx, before(days.mailAddresses)));
  const old = await inBatches(ctx, () => deleteNotifications(ctx, before(days.notifications)));
  const people = await inBatches(ctx, () => deleteUnregistered(ctx, before(days.unregisteredPeople)));
  const suppressions = await deleteSuppressions(ctx, before(days.mailAddresses));
  return addresses + old + people + suppressions;
}

async function clearAddresses(ctx: Ctx<JobActor>, time: Date): Promise<number> {
  const due = ctx.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(ne(mails.address, ""), lt(mails.createdAt, time), inArray(mails.state, [...endedStates])))
    .limit(batchSize);
  const cleared = await ctx.db.update(mails).set({ address: "" }).where(inArray(mails.id, due));
  return cleared.count;
}

/** A suppression of the person's present address stays until it is lifted. */
async function deleteSuppressions(ctx: Ctx<JobActor>, time: Date): Promise<number> {
  const isPresent = ctx.db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, mailSuppressions.userId), isSameAddress(users.email, mailSuppressions.address)));
  const deleted = await ctx.db
    .delete(mailSuppressions)
    .where(or(lt(mailSuppressions.liftedAt, time), notExists(isPresent)));
  return deleted.count;
}

/**
 * The oldest first: a daily mail is newer than the mails that it carries, so these are deleted with or before it. The
 * list of a report's emails has their results from the mails, so that what was sent goes with them.
 */
async function deleteNotifications(ctx: Ctx<JobActor>, time: Date): Promise<number> {
  return await inTransaction(ctx, async (tx) => {
    const due = await tx.db
      .select({ id: notifications.id, event: notifications.event, subjectId: notifications.subjectId })
      .from(notifications)
      .where(lt(notifications.createdAt, time))
      .orderBy(asc(notifications.createdAt), asc(notifications.id))
      .limit(batchSize);
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) return 0;
    const sendings = due.flatMap(({ event, subjectId }) =>
      event === "report_ready" ? (parseId<ReportSendingId>(subjectId) ?? []) : [],
    );
    await tx.db.delete(reportSendings).where(inArray(reportSendings.id, sendings));
    await tx.db.delete(mails).where(inArray(mails.notificationId, ids));
    await tx.db.delete(notifications).where(inArray(notifications.id, ids));
    return ids.length;
  });
}

/** Someone who is signed in may be registering. Requests of erasure go with their people. */
async function deleteUnregistered(ctx: Ctx<JobActor>, time: Date): Promise<number> {
  return await inTransaction(ctx, async (tx) => {
    const session = tx.db.select({ one: sql`1` }).from(sessions).where(eq(sessions.userId, users.id));
    // The lock lets nobody of the batch register or request an erasure meanwhile.
    const due = await tx.db
      .select({ id: users.id })
      .from(users)
      .where(and(isNull(users.accountId), isNull(users.erasedAt), lt(users.createdAt, time), notExists(session)))
      .limit(batchSize)
      .for("update");
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.db.delete(erasures).where(inArray(erasures.userId, ids));
    await tx.db.delete(users).where(inArray(users.id, ids));
    return ids.length;
  });
}
