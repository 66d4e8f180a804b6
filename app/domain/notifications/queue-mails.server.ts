import { eq, inArray, sql } from "drizzle-orm";
import { mails, notifications, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { type MailId, type NotificationId, newId } from "../ids.ts";
import { sendMailTask } from "./send-mail-task.ts";

/** A mail of each notice to each person of its account, in the caller's transaction. */
export async function queueMails(ctx: VisitorCtx, notificationIds: readonly NotificationId[]): Promise<void> {
  if (notificationIds.length === 0) return;
  const people = await ctx.db
    .select({ notificationId: notifications.id, userId: users.id, address: users.email })
    .from(notifications)
    .innerJoin(users, eq(users.accountId, notifications.accountId))
    .where(inArray(notifications.id, [...notificationIds]))
    .orderBy(notifications.id, users.id);
  if (people.length === 0) return;
  const queued = people.map((person) => ({
    ...person,
    id: newId<MailId>(),
    state: "waiting" as const,
    createdAt: ctx.clock(),
  }));
  await ctx.db.insert(mails).values(queued);
  await queueSending(
    ctx,
    queued.map(({ id }) => id),
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
