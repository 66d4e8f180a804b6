import { and, eq, isNull, sql } from "drizzle-orm";
import { mailSuppressions, mails, notifications, users } from "#db/schema/index.ts";
import { isSameAddress } from "../../accounts/is-same-address.server.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { AccountId, MailId, UserId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { findSuppression } from "./find-suppression.server.ts";

/**
 * Resumes emails to a person's address by the confirmation that was sent there. No effect when they are not held back.
 * Throws `invalid_transition` when the email was sent to another person or address, or before the address last came
 * back.
 */
export async function confirmEmail(
  ctx: Ctx<TenantActor>,
  { userId, mailId }: { userId: UserId; mailId: MailId },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const suppression = await findSuppression(tx, { userId });
    if (!suppression) return;
    if (!(await isProof(tx, { userId, mailId }))) {
      throw new DomainError(
        "invalid_transition",
        "This link no longer works because emails came back after it was sent. Send a new one.",
      );
    }
    await lift(tx, { userId, accountId: tx.actor.accountId });
  });
}

/** Returns whether the email went to this person's suppressed address after it was suppressed, as a confirmation. */
export async function isProof(ctx: Ctx, { userId, mailId }: { userId: UserId; mailId: MailId }): Promise<boolean> {
  const [proof] = await ctx.db
    .select({ id: mails.id })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .innerJoin(mailSuppressions, eq(mailSuppressions.userId, mails.userId))
    .where(
      and(
        eq(mails.id, mailId),
        eq(mails.userId, userId),
        eq(notifications.event, "email_confirmation"),
        isSameAddress(mails.address, mailSuppressions.address),
        sql`${mails.createdAt} >= ${mailSuppressions.suppressedAt}`,
      ),
    );
  return proof !== undefined;
}

/** Resumes emails to an address for an operator who knows that it works. Returns whether they were held back. */
export async function resumeAddress(ctx: Ctx<OperatorActor>, { address }: { address: string }): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const [person] = await tx.db
      .select({ userId: users.id, accountId: users.accountId })
      .from(users)
      .where(isSameAddress(users.email, address));
    if (!person || !(await findSuppression(tx, person))) return false;
    await lift(tx, person);
    return true;
  });
}

async function lift(ctx: Ctx, { userId, accountId }: { userId: UserId; accountId: AccountId | null }): Promise<void> {
  const lifted = await ctx.db
    .update(mailSuppressions)
    .set({ liftedAt: ctx.clock() })
    .where(and(eq(mailSuppressions.userId, userId), isNull(mailSuppressions.liftedAt)));
  if (lifted.count === 0) return;
  await recordAudit(ctx, {
    action: "user.email_confirmed",
    entity: "user",
    entityId: userId,
    ...(accountId && { accountId }),
  });
}
