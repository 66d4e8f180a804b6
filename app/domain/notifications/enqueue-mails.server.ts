import { eq, inArray, sql } from "drizzle-orm";
import { pgArray } from "#db/query-rows.server.ts";
import { accounts, mailSettings, mails, notifications, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { type MailId, type NotificationId, newIdBeside, type UserId } from "../ids.ts";
import { rowsPerInsert, slicesOf } from "../slices-of.ts";
import { isDigestMail, isOptionalMail } from "./mail-kinds.ts";
import { sendMailTask } from "./send-mail-task.ts";

/** A notification, and the people of its account who get its mail; without a list, all of them. */
type Announced = { id: NotificationId; recipients?: readonly UserId[] | undefined };

/**
 * Enqueues a mail of each notification to each user of its account who wants it, in the caller's transaction. For users
 * with a daily mail it waits for the digest. Mandatory and scheduled mails are sent at once. The users of a suspended
 * account get mandatory mails alone: the others lead to pages that they cannot open.
 */
export async function enqueueMails(ctx: VisitorCtx, announced: readonly Announced[]): Promise<void> {
  if (announced.length === 0) return;
  const chosen = new Map(announced.map(({ id, recipients: listed }) => [id, listed]));
  const recipients = await ctx.db
    .select({
      notificationId: notifications.id,
      event: notifications.event,
      subjectId: notifications.subjectId,
      userId: users.id,
      address: users.email,
      delivery: mailSettings.delivery,
      muted: mailSettings.muted,
      accountStatus: accounts.status,
    })
    .from(notifications)
    .innerJoin(accounts, eq(accounts.id, notifications.accountId))
    .innerJoin(users, eq(users.accountId, notifications.accountId))
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .where(inArray(notifications.id, [...chosen.keys()]))
    .orderBy(notifications.id, users.id);
  const queued = recipients
    // Only the user who signed in is notified.
    .filter(({ event, userId, subjectId }) => event !== "new_sign_in" || userId === subjectId)
    .filter(({ notificationId, userId }) => chosen.get(notificationId)?.includes(userId) ?? true)
    .filter(
      ({ event, muted, accountStatus }) =>
        !isOptionalMail(event) || (accountStatus !== "suspended" && !muted?.includes(event)),
    )
    .map(({ notificationId, event, userId, address, delivery }) => ({
      id: newIdBeside<MailId>(notificationId),
      notificationId,
      userId,
      address,
      createdAt: ctx.clock(),
      state: isDigestMail(event) && delivery === "daily" ? ("awaiting_digest" as const) : ("waiting" as const),
    }));
  for (const slice of slicesOf(queued, rowsPerInsert)) await ctx.db.insert(mails).values(slice);
  const reports = new Set(
    recipients.flatMap(({ event, notificationId }) => (event === "report_ready" ? notificationId : [])),
  );
  const waitingIds = (areReports: boolean) =>
    queued
      .filter(({ state, notificationId }) => state === "waiting" && reports.has(notificationId) === areReports)
      .map(({ id }) => id);
  await enqueueMailJobs(ctx, waitingIds(false));
  await enqueueMailJobs(ctx, waitingIds(true), { priority: sendMailTask.reportPriority });
}

/** Enqueues a job for each mail, in the caller's transaction; an existing job is reused. */
export async function enqueueMailJobs(
  ctx: VisitorCtx,
  ids: readonly MailId[],
  { priority = 0 }: { priority?: number } = {},
): Promise<void> {
  if (ids.length === 0) return;
  const { name, attempts } = sendMailTask;
  await ctx.db.execute(sql`
    select graphile_worker.add_job(${name}, json_build_object('id', mail.id), max_attempts => ${attempts}::int, job_key => 'mail ' || mail.id,
      priority => ${priority}::int)
    from unnest(${pgArray(ids)}::uuid[]) as mail (id)`);
}
