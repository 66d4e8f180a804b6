import { and, asc, eq, inArray, lt, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts, mailSettings, mails, notifications, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { idAboveAll, type MailId } from "../ids.ts";
import { keysetPage } from "../keyset-page.server.ts";
import type { PageRequest } from "../page.ts";
import type { MailState } from "./notification.ts";

/** Lists the outbox, newest first, for an operator and for the development mailbox. */
export async function listMails(ctx: VisitorCtx, input: PageRequest & { states: readonly MailState[] }) {
  const keyset = keysetPage(input, mails.id);
  const rows = await selectMails(ctx)
    // Below an upper bound the months are read one after the other, until the page is full.
    .where(and(inArray(mails.state, [...input.states]), lt(mails.id, idAboveAll<MailId>()), keyset.where))
    .orderBy(keyset.order)
    .limit(keyset.limit);
  return keyset.page(rows);
}

/** The maximum number of notifications that a digest lists; it counts the rest. */
const maxDigestParts = 50;

/** Reads a mail; a digest with `parts`, its notifications, oldest first. Undefined when there is none. */
export async function findMail(ctx: VisitorCtx, id: MailId): Promise<ListedMail | undefined> {
  const [mail] = await selectMails(ctx).where(eq(mails.id, id));
  if (!mail || mail.digestId !== mail.id) return mail;
  const parts = await selectMails(ctx)
    .where(and(eq(mails.digestId, id), lte(mails.id, id)))
    .orderBy(asc(mails.id))
    .limit(maxDigestParts);
  return { ...mail, parts };
}

function selectMails(ctx: VisitorCtx) {
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
      /** What mail servers reported about it, such as `bounce 5.1.1`; null: nothing. */
      feedback: sqlValue(
        z.string().nullable(),
        sql`(select string_agg(concat_ws(' ', report.kind, report.status), ', ' order by report.id) from mail_feedback report where report.mail_id = ${mails.id})`,
      ),
      /** The number of notifications in a digest, which is the newest of them. */
      carries: sqlValue(
        z.number(),
        sql`case when ${mails.digestId} = ${mails.id} then (select count(*)::int from mails part where part.digest_id = ${mails.id} and part.id <= ${mails.id}) else 0 end`,
      ),
      /** Whether the person does not want emails of this event now. */
      isMuted: sqlValue(z.boolean(), sql`coalesce(${notifications.event} = any(${mailSettings.muted}), false)`),
      timeZone: sqlValue(z.string(), sql`coalesce(${mailSettings.timeZone}, 'UTC')`),
    })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .innerJoin(users, eq(users.id, mails.userId))
    .innerJoin(accounts, eq(accounts.id, notifications.accountId))
    .leftJoin(mailSettings, eq(mailSettings.userId, mails.userId));
}

type MailRow = Awaited<ReturnType<typeof selectMails>>[number];
export type ListedMail = MailRow & { parts?: readonly MailRow[] };
