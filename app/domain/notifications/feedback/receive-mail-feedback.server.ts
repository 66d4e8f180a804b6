import { and, eq, gt, gte, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { mailFeedback, mailSuppressions, mails, users } from "#db/schema/index.ts";
import { isSameAddress } from "../../accounts/is-same-address.server.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor, OperatorActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { lowestIdAt, type MailFeedbackId, type MailId, newId, type UserId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import {
  type MailFeedbackKind,
  type SuppressionReason,
  softBounceDays,
  softBouncePeriodDays,
  suppressionReasons,
} from "./mail-feedback.ts";

const dayMs = 86_400_000;
/** Mail servers report a failed delivery within days; one that reports an older mail counts for the mail only. */
const maxReportDelayDays = 31;

export type MailFeedbackInput = { mailId: MailId; kind: MailFeedbackKind; status: string | null };

/**
 * Records what a mail server reported about a mail, once for each kind. A bounce, a complaint, and soft bounces on
 * three days within two weeks suppress the address: further emails to it are held back until the person confirms it.
 * Reports about another address than the person's present one, or about a mail from before it was confirmed, are
 * counted only. Throws `not_found` when the mail does not exist or no longer exists.
 */
export async function receiveMailFeedback(
  ctx: Ctx<JobActor | OperatorActor>,
  { mailId, kind, status }: MailFeedbackInput,
): Promise<{ effect: "suppressed" | "counted" | "known" }> {
  return inTransaction(ctx, async (tx) => {
    const [mail] = await tx.db
      .select({
        userId: mails.userId,
        accountId: users.accountId,
        address: mails.address,
        sentAt: sqlValue(z.coerce.date(), sql`coalesce(${mails.attemptedAt}, ${mails.createdAt})`),
        isPresent: sqlValue(z.boolean(), isSameAddress(mails.address, users.email)),
      })
      .from(mails)
      .innerJoin(users, eq(users.id, mails.userId))
      .where(eq(mails.id, mailId))
      // One at a time for each person, so that soft bounces see each other.
      .for("no key update", { of: users });
    if (!mail) throw notFound("Email");
    const now = tx.clock();
    const added = await tx.db
      .insert(mailFeedback)
      .values({ id: newId<MailFeedbackId>(), mailId, kind, status, receivedAt: now })
      .onConflictDoNothing()
      .returning({ id: mailFeedback.id });
    if (added.length === 0) return { effect: "known" };
    const { userId, accountId, address, sentAt } = mail;
    const [current] = await tx.db.select().from(mailSuppressions).where(eq(mailSuppressions.userId, userId));
    const isOutdated = current?.liftedAt && sentAt <= current.liftedAt;
    if (!mail.isPresent || isOutdated) return { effect: "counted" };
    const reason = await reasonFor(tx, { userId, address, kind, since: current?.liftedAt ?? undefined });
    const isOpen = current && !current.liftedAt && current.address.toLowerCase() === address.toLowerCase();
    if (!reason || (isOpen && rank(reason) <= rank(current.reason))) return { effect: "counted" };
    const row = { address, reason, status, suppressedAt: now, liftedAt: null };
    await tx.db
      .insert(mailSuppressions)
      .values({ userId, ...row })
      .onConflictDoUpdate({ target: mailSuppressions.userId, set: row });
    await recordAudit(tx, {
      action: "user.emails_suppressed",
      entity: "user",
      entityId: userId,
      ...(accountId && { accountId }),
      after: { reason, ...(status && { status }) },
    });
    return { effect: "suppressed" };
  });
}

function rank(reason: SuppressionReason): number {
  return suppressionReasons.indexOf(reason);
}

type Recipient = { userId: UserId; address: string; kind: MailFeedbackKind; since: Date | undefined };

async function reasonFor(
  ctx: Ctx,
  { userId, address, kind, since }: Recipient,
): Promise<SuppressionReason | undefined> {
  if (kind !== "soft_bounce") return kind;
  const start = new Date(ctx.clock().getTime() - softBouncePeriodDays * dayMs);
  const sentAfter = lowestIdAt<MailId>(start.getTime() - maxReportDelayDays * dayMs);
  const [row] = await ctx.db
    .select({
      days: sqlValue(z.number(), sql`count(distinct (${mailFeedback.receivedAt} at time zone 'UTC')::date)::int`),
    })
    .from(mailFeedback)
    .innerJoin(mails, eq(mails.id, mailFeedback.mailId))
    .where(
      and(
        eq(mails.userId, userId),
        eq(mails.address, address),
        eq(mailFeedback.kind, "soft_bounce"),
        ...[mails.id, mailFeedback.mailId].map((id) => gte(id, sentAfter)),
        gt(mailFeedback.receivedAt, since && since > start ? since : start),
      ),
    );
  return (row?.days ?? 0) >= softBounceDays ? "soft_bounces" : undefined;
}
