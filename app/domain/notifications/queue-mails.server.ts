import { eq, inArray, sql } from "drizzle-orm";
import { mailSettings, mails, notifications, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { type MailId, type NotificationId, newId } from "../ids.ts";
import { isOptional } from "./mail-kinds.ts";
import { sendMailTask } from "./send-mail-task.ts";

/**
 * A mail of each notice to each person of its account who wants it, in the caller's transaction. For who has one mail a day it
 * waits to be gathered. What cannot be ended goes out at once.
 */
export async function queueMails(ctx: VisitorCtx, notificationIds: readonly NotificationId[]): Promise<void> {
  if (notificationIds.length === 0) return;
  const people = await ctx.db
    .select({
      notificationId: notifications.id,
      event: notifications.event,
      subjectId: notifications.subjectId,
      userId: users.id,
      address: users.email,
      delivery: mailSettings.delivery,
      muted: mailSettings.muted,
    })
    .from(notifications)
    .innerJoin(users, eq(users.accountId, notifications.accountId))
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .where(inArray(notifications.id, [...notificationIds]))
    .orderBy(notifications.id, users.id);
  const queued = people
    // A sign-in is told to whom it was.
    .filter(({ event, userId, subjectId }) => event !== "new_sign_in" || userId === subjectId)
    .filter(({ event, muted }) => !isOptional(event) || !muted?.includes(event))
    .map(({ notificationId, event, userId, address, delivery }) => ({
      id: newId<MailId>(),
      notificationId,
      userId,
      address,
      createdAt: ctx.clock(),
      state: isOptional(event) && delivery === "daily" ? ("gathering" as const) : ("waiting" as const),
    }));
  if (queued.length === 0) return;
  await ctx.db.insert(mails).values(queued);
  await queueSending(
    ctx,
    queued.filter(({ state }) => state === "waiting").map(({ id }) => id),
  );
}

/** A job for each mail, in the caller's transaction; one that waits already is the same. */
export async function queueSending(ctx: VisitorCtx, ids: readonly MailId[]): Promise<void> {
  if (ids.length === 0) return;
  const { name, attempts } = sendMailTask;
  await ctx.db.execute(sql`
    select graphile_worker.add_job(${name}, json_build_object('id', mail.id), max_attempts => ${attempts}::int, job_key => 'mail ' || mail.id)
    from unnest(${`{${ids.join(",")}}`}::uuid[]) as mail (id)`);
}
