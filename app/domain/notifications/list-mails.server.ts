import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts, mailSettings, mails, notifications, users } from "#db/schema/index.ts";
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

/** What a daily mail names at most; of the rest it says how many there are. */
const namedInDigest = 50;

/** One of them; a daily mail with `parts`, the notices that it carries, oldest first. */
export async function findMail(ctx: VisitorCtx, id: MailId): Promise<ListedMail | undefined> {
  const [mail] = await select(ctx).where(eq(mails.id, id));
  if (!mail || mail.digestId !== mail.id) return mail;
  const parts = await select(ctx).where(eq(mails.digestId, id)).orderBy(asc(mails.id)).limit(namedInDigest);
  return { ...mail, parts };
}

function select(ctx: VisitorCtx) {
  return ctx.db
    .select({
      id: mails.id,
      userId: mails.userId,
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
      digestId: mails.digestId,
      /** How many notices a daily mail carries. */
      carries: sqlValue(z.number(), sql`(select count(*)::int from mails part where part.digest_id = ${mails.id})`),
      timeZone: sqlValue(z.string(), sql`coalesce(${mailSettings.timeZone}, 'UTC')`),
    })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .innerJoin(users, eq(users.id, mails.userId))
    .innerJoin(accounts, eq(accounts.id, notifications.accountId))
    .leftJoin(mailSettings, eq(mailSettings.userId, mails.userId));
}

type MailRow = Awaited<ReturnType<typeof select>>[number];
export type ListedMail = MailRow & { parts?: readonly MailRow[] };
