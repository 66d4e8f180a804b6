import { eq, sql } from "drizzle-orm";
import { accounts, mailSettings, users } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor, VisitorCtx } from "../context.ts";
import type { UserId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { isOptional, mailsFor } from "./mail-kinds.ts";
import type { NotificationEvent } from "./notification.ts";

/** Whose mails a link of a mail ends: those of one event, or all that one can do without (of the daily mail). */
export type EndedMails = { userId: UserId; event: NotificationEvent | null };

/** The person whose mails they are, by whoever has the link of one of its mails; undefined when there is none. */
export async function findMailReader(ctx: VisitorCtx, { userId }: EndedMails) {
  const [reader] = await ctx.db
    .select({ accountId: accounts.id, type: accounts.type, address: users.email })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, userId));
  return reader;
}

/** Ends them; done already, it is the same. False when there is no such person. */
export async function endMails(ctx: VisitorCtx, ended: EndedMails): Promise<boolean> {
  const { userId, event } = ended;
  const reader = await findMailReader(ctx, ended);
  if (!reader) return false;
  const events = (event ? [event] : mailsFor(reader.type)).filter(isOptional);
  const tenant: Ctx<TenantActor> = { ...ctx, actor: { kind: reader.type, accountId: reader.accountId, userId } };
  await inTransaction(tenant, async (tx) => {
    await tx.db.insert(mailSettings).values({ userId }).onConflictDoNothing();
    const list = sql`${`{${events.join(",")}}`}::text[]`;
    const changed = await tx.db
      .update(mailSettings)
      .set({ muted: sql`array(select distinct one from unnest(${mailSettings.muted} || ${list}) one order by one)` })
      .where(sql`${mailSettings.userId} = ${userId} and not ${mailSettings.muted} @> ${list}`)
      .returning({ userId: mailSettings.userId });
    if (changed.length === 0) return;
    await recordAudit(tx, {
      action: "user.mails_ended",
      entity: "user",
      entityId: userId,
      accountId: reader.accountId,
      after: { ended: events },
    });
  });
  return true;
}
