import { eq, sql } from "drizzle-orm";
import { pgArray } from "#db/query-rows.server.ts";
import { accounts, mailSettings, users } from "#db/schema/index.ts";
import { lockPerson } from "../accounts/lock-person.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor, VisitorCtx } from "../context.ts";
import type { UserId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { isOptionalMail, mailEventsFor } from "./mail-kinds.ts";
import type { NotificationEvent } from "./notification.ts";

/** The user and mails of an unsubscribe link: those of one event, or all optional mails (for a digest). */
export type UnsubscribeTarget = { userId: UserId; event: NotificationEvent | null };

/** Returns the recipient of an unsubscribe link; undefined when the user no longer exists. */
export async function findMailRecipient(ctx: VisitorCtx, { userId }: UnsubscribeTarget) {
  const [recipient] = await ctx.db
    .select({ accountId: accounts.id, type: accounts.type, address: users.email })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, userId));
  return recipient;
}

/** Unsubscribes the user. No effect when already unsubscribed. Returns false when the user no longer exists. */
export async function unsubscribeFromMails(ctx: VisitorCtx, target: UnsubscribeTarget): Promise<boolean> {
  const { userId, event } = target;
  const recipient = await findMailRecipient(ctx, target);
  if (!recipient) return false;
  const events = (event ? [event] : mailEventsFor(recipient.type)).filter(isOptionalMail);
  const tenant: Ctx<TenantActor> = { ...ctx, actor: { kind: recipient.type, accountId: recipient.accountId, userId } };
  return await inTransaction(tenant, async (tx) => {
    if (!(await lockPerson(tx, userId))) return false;
    await tx.db.insert(mailSettings).values({ userId }).onConflictDoNothing();
    const list = sql`${pgArray(events)}::text[]`;
    const changed = await tx.db
      .update(mailSettings)
      .set({ muted: sql`array(select distinct one from unnest(${mailSettings.muted} || ${list}) one order by one)` })
      .where(sql`${mailSettings.userId} = ${userId} and not ${mailSettings.muted} @> ${list}`)
      .returning({ userId: mailSettings.userId });
    if (changed.length === 0) return true;
    await recordAudit(tx, {
      action: "user.unsubscribed",
      entity: "user",
      entityId: userId,
      accountId: recipient.accountId,
      after: { ended: events },
    });
    return true;
  });
}
