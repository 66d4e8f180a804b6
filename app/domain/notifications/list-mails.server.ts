import { and, eq, inArray } from "drizzle-orm";
import { accounts, mails, notifications, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { MailId } from "../ids.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";
import type { MailState } from "./notification.ts";

/** The outbox, newest first: for an operator, and for the mailbox that shows what is not sent. */
export async function listMails(ctx: VisitorCtx, input: PageRequest & { states: readonly MailState[] }) {
  const newest = newestFirst(input, mails.id);
  const rows = await select(ctx)
    .where(and(inArray(mails.state, [...input.states]), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  return newest.page(rows);
}

export async function findMail(ctx: VisitorCtx, id: MailId) {
  const [mail] = await select(ctx).where(eq(mails.id, id));
  return mail;
}

function select(ctx: VisitorCtx) {
  return ctx.db
    .select({
      id: mails.id,
      address: mails.address,
      state: mails.state,
      attempts: mails.attempts,
      lastError: mails.lastError,
      createdAt: mails.createdAt,
      personName: users.name,
      accountType: accounts.type,
      isDemo: accounts.isDemo,
      event: notifications.event,
      campaignId: notifications.campaignId,
      subjectId: notifications.subjectId,
      facts: notifications.facts,
    })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .innerJoin(users, eq(users.id, mails.userId))
    .innerJoin(accounts, eq(accounts.id, notifications.accountId));
}

export type ListedMail = NonNullable<Awaited<ReturnType<typeof findMail>>>;
