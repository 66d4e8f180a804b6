import { and, eq, lt, sql } from "drizzle-orm";
import { mails } from "#db/schema/index.ts";
import type { Ctx, JobActor, OperatorActor } from "../context.ts";
import type { MailId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { findMail } from "./list-mails.server.ts";
import { queueSending } from "./queue-mails.server.ts";
import { sendMailTask } from "./send-mail-task.ts";

/** Takes a mail that waits, to send it: nobody else does from now on. Undefined when there is nothing to send. */
export async function takeMail(ctx: Ctx<JobActor>, id: MailId) {
  const [taken] = await ctx.db
    .update(mails)
    .set({ state: "sending", attempts: sql`${mails.attempts} + 1`, attemptedAt: ctx.clock() })
    .where(and(eq(mails.id, id), eq(mails.state, "waiting")))
    .returning({ id: mails.id });
  return taken && findMail(ctx, id);
}

/** It went out; or it is kept, because nothing is sent from here or to that person. */
export async function endMail(
  ctx: Ctx<JobActor>,
  { id, state }: { id: MailId; state: "sent" | "kept" },
): Promise<void> {
  await ctx.db
    .update(mails)
    .set({ state, lastError: null, sentAt: state === "sent" ? ctx.clock() : null })
    .where(and(eq(mails.id, id), eq(mails.state, "sending")));
}

/** It did not go out: it waits for its job's next attempt, or is parked when that was the last or none can help. */
export async function failMail(
  ctx: Ctx<JobActor>,
  { id, message, isFinal }: { id: MailId; message: string; isFinal: boolean },
): Promise<{ isParked: boolean }> {
  const over = sql`${isFinal} or ${mails.attempts} >= ${sendMailTask.attempts}`;
  const [failed] = await ctx.db
    .update(mails)
    .set({ state: sql`case when ${over} then 'parked' else 'waiting' end`, lastError: message })
    .where(and(eq(mails.id, id), eq(mails.state, "sending")))
    .returning({ state: mails.state });
  return { isParked: failed?.state === "parked" };
}

const patience = 5 * 60_000;

/**
 * Gives up on who has been sending for five minutes: its process is gone. The mail is sent again, under the same Message-ID, so
 * that a server which had it already can tell.
 */
export async function sweepMails(ctx: Ctx<JobActor>): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const gone = await tx.db
      .update(mails)
      .set({ state: "waiting", lastError: "The sending was interrupted" })
      .where(and(eq(mails.state, "sending"), lt(mails.attemptedAt, new Date(tx.clock().getTime() - patience))))
      .returning({ id: mails.id });
    await queueSending(
      tx,
      gone.map(({ id }) => id),
    );
    return gone.length;
  });
}

/** An operator's hand: parked mails wait again, all of them or one. Gives how many. */
export async function retryMails(ctx: Ctx<OperatorActor>, id?: MailId): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const retried = await tx.db
      .update(mails)
      .set({ state: "waiting", attempts: 0 })
      .where(and(eq(mails.state, "parked"), id ? eq(mails.id, id) : undefined))
      .returning({ id: mails.id });
    await queueSending(
      tx,
      retried.map((mail) => mail.id),
    );
    return retried.length;
  });
}
