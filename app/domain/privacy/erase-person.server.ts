import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId, UserId } from "#app/domain/ids.ts";
import {
  idempotencyKeys,
  mailSettings,
  mailSuppressions,
  mails,
  notifications,
  reportRecipients,
  savedViews,
  sessions,
  signInDevices,
  users,
} from "#db/schema/index.ts";

/** The name under which an erased person's deeds are shown. */
const erasedName = "Former user";

/**
 * Erases a person's name, address, identity and sessions in the caller's transaction. The row stays under a name
 * without a person, because records refer to it. Signing in again creates another person.
 */
export async function erasePerson(
  ctx: Ctx,
  { userId, accountId }: { userId: UserId; accountId: AccountId | undefined },
): Promise<void> {
  const { db } = ctx;
  await db.delete(sessions).where(eq(sessions.userId, userId));
  await db.delete(signInDevices).where(eq(signInDevices.userId, userId));
  await db.delete(mailSettings).where(eq(mailSettings.userId, userId));
  await db.delete(mailSuppressions).where(eq(mailSuppressions.userId, userId));
  await db.delete(reportRecipients).where(eq(reportRecipients.userId, userId));
  await db.delete(savedViews).where(eq(savedViews.userId, userId));
  await db.delete(idempotencyKeys).where(eq(idempotencyKeys.caller, `user:${userId}`));
  // Notices of sign-ins name the person's browser.
  const signIns = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.event, "new_sign_in"), eq(notifications.subjectId, userId)));
  await db
    .update(notifications)
    .set({ facts: sql`${notifications.facts} - 'device' - 'at'` })
    .where(inArray(notifications.id, signIns));
  await db
    .update(mails)
    .set({
      address: "",
      // One that is being sent may be one whose process died, which would be sent again.
      state: sql`case when ${mails.state} in ('waiting', 'awaiting_digest', 'sending', 'failed') then 'suppressed' else ${mails.state} end`,
    })
    .where(
      and(
        eq(mails.userId, userId),
        // Each of these has a partial index, so that no month is read whose emails are sent and have lost their
        // addresses.
        or(ne(mails.address, ""), inArray(mails.state, ["waiting", "failed"]), eq(mails.state, "awaiting_digest")),
      ),
    );
  await db
    .update(users)
    .set({
      googleSubject: `erased:${userId}`,
      email: `erased-${userId}@erased.invalid`,
      name: erasedName,
      picture: null,
      // Nobody of the account: it gets no more mails, and is on no list of people.
      accountId: null,
      erasedAt: ctx.clock(),
    })
    .where(eq(users.id, userId));
  await recordAudit(ctx, { action: "user.erased", entity: "user", entityId: userId, ...(accountId && { accountId }) });
}
