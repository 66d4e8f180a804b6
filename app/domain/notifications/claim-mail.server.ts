import { and, eq, lt, ne, sql } from "drizzle-orm";
import { mails } from "#db/schema/index.ts";
import type { Ctx, JobActor, OperatorActor } from "../context.ts";
import type { MailId } from "../ids.ts";
import { isJobAbandoned } from "../is-job-abandoned.server.ts";
import { inTransaction } from "../transaction.server.ts";
import { enqueueMailJobs } from "./enqueue-mails.server.ts";
import { findMail } from "./list-mails.server.ts";
import { sendMailTask } from "./send-mail-task.ts";

/**
 * Claims a waiting mail, so that no other worker sends it. From now on it goes to the address that its person has now:
 * a daily mail, and one that is retried, may have been written for an earlier one, which may be someone else's by now.
 * Returns undefined when the mail is not waiting.
 */
export async function claimMail(ctx: Ctx<JobActor>, id: MailId) {
  const [claimed] = await ctx.db
    .update(mails)
    .set({
      state: "sending",
      attempts: sql`${mails.attempts} + 1`,
      attemptedAt: ctx.clock(),
      address: sql`(select person.email from users person where person.id = ${mails.userId})`,
    })
    .where(and(eq(mails.id, id), eq(mails.state, "waiting")))
    .returning({ id: mails.id });
  return claimed && findMail(ctx, id);
}

/**
 * A claimed mail. The number of the attempt tells this claim from a later one, after the mail was taken for abandoned.
 */
export type MailClaim = { id: MailId; attempts: number };

/** Whether the claim still holds. */
function isHeld({ id, attempts }: MailClaim) {
  return and(eq(mails.id, id), eq(mails.state, "sending"), eq(mails.attempts, attempts));
}

/**
 * Renews a claim before the mail is sent, if making the mail took long. Returns false if the claim was lost meanwhile:
 * another worker sends the mail.
 */
export async function renewMailClaim(ctx: Ctx<JobActor>, claim: MailClaim): Promise<boolean> {
  const renewed = await ctx.db
    .update(mails)
    .set({ attemptedAt: ctx.clock() })
    .where(isHeld(claim))
    .returning({ id: mails.id });
  return renewed.length > 0;
}

/**
 * Marks a claimed mail as sent, or as kept when this installation or recipient receives no mail, with the reason if
 * there is one. No effect once the claim is lost.
 */
export async function completeMail(
  ctx: Ctx<JobActor>,
  { state, reason = null, ...claim }: MailClaim & { state: "sent" | "suppressed"; reason?: string | null },
): Promise<void> {
  await ctx.db
    .update(mails)
    .set({ state, lastError: reason, sentAt: state === "sent" ? ctx.clock() : null })
    .where(isHeld(claim));
}

const isLastAttempt = sql`${mails.attempts} >= ${sendMailTask.attempts}`;

/**
 * Records a failed attempt: the mail waits for its job's next attempt, or is parked when that was the last or a retry
 * cannot help. No effect once the claim is lost.
 */
export async function failMail(
  ctx: Ctx<JobActor>,
  { message, isFinal, ...claim }: MailClaim & { message: string; isFinal: boolean },
): Promise<{ hasFailed: boolean }> {
  const [failed] = await ctx.db
    .update(mails)
    .set({ state: sql`case when ${isFinal} or ${isLastAttempt} then 'failed' else 'waiting' end`, lastError: message })
    .where(isHeld(claim))
    .returning({ state: mails.state });
  return { hasFailed: failed?.state === "failed" };
}

const staleAfterMs = 5 * 60_000;

/**
 * Requeues the mails of a process that died: those that have been "sending" for five minutes, which are sent again
 * under the same Message-ID, so that a mail server can recognize the repetition, and those that still wait although a
 * worker took their job five minutes ago, or the job has used up its attempts. Without that they would wait until the
 * queue releases the job, four hours later, or forever. One that was interrupted at its last attempt is parked: it may
 * be what ends the process. Returns how many.
 */
export async function requeueStaleMails(ctx: Ctx<JobActor>): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    // Read first: the next statement makes more rows wait, whose jobs the dead process has locked as well.
    const abandoned = await tx.db
      .select({ id: mails.id })
      .from(mails)
      .where(and(eq(mails.state, "waiting"), isJobAbandoned({ key: sql`'mail ' || ${mails.id}`, staleAfterMs })))
      .for("update", { skipLocked: true });
    const stale = await tx.db
      .update(mails)
      .set({
        state: sql`case when ${isLastAttempt} then 'failed' else 'waiting' end`,
        lastError: "Sending was interrupted",
      })
      .where(and(eq(mails.state, "sending"), lt(mails.attemptedAt, new Date(tx.clock().getTime() - staleAfterMs))))
      .returning({ id: mails.id, state: mails.state });
    const waiting = [...stale.filter(({ state }) => state === "waiting"), ...abandoned];
    await enqueueMailJobs(
      tx,
      waiting.map(({ id }) => id),
    );
    return stale.length + abandoned.length;
  });
}

/** Requeues parked mails that still have an address, all of them or one, for an operator. Returns how many. */
export async function retryMails(ctx: Ctx<OperatorActor>, id?: MailId): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const retried = await tx.db
      .update(mails)
      .set({ state: "waiting", attempts: 0 })
      .where(and(eq(mails.state, "failed"), ne(mails.address, ""), id ? eq(mails.id, id) : undefined))
      .returning({ id: mails.id });
    await enqueueMailJobs(
      tx,
      retried.map((mail) => mail.id),
    );
    return retried.length;
  });
}
