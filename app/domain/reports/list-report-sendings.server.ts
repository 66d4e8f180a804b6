import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { mails, reportSendings } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import { idsAround, type MailId, type ReportSendingId, type SavedViewId } from "../ids.ts";
import { keysetPage } from "../keyset-page.server.ts";
import type { MailState } from "../notifications/notification.ts";
import type { PageRequest } from "../page.ts";

/** Lists when a report was sent, newest first, with the states of its emails. */
export async function listReportSendings(ctx: Ctx<TenantActor>, input: PageRequest & { reportId: SavedViewId }) {
  const keyset = keysetPage(input, reportSendings.id);
  const rows = await ctx.db
    .select(columns)
    .from(reportSendings)
    .where(and(isOwn(ctx), eq(reportSendings.reportId, input.reportId), keyset.where))
    .orderBy(keyset.order)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return { ...page, rows: await withCounts(ctx, page.rows) };
}

/** Returns one sending of a report. Throws `not_found`. */
export async function getReportSending(ctx: Ctx<TenantActor>, id: ReportSendingId) {
  const found = await ctx.db
    .select(columns)
    .from(reportSendings)
    .where(and(isOwn(ctx), eq(reportSendings.id, id)));
  const [sending] = await withCounts(ctx, found);
  if (!sending) throw notFound("Report");
  return sending;
}

export type ReportSending = Awaited<ReturnType<typeof getReportSending>>;

/** Returns the last sending of each of these reports of the account that was sent. */
export async function listLastSendings(
  ctx: Ctx<TenantActor>,
  reportIds: readonly SavedViewId[],
): Promise<Map<SavedViewId, ReportSending>> {
  if (reportIds.length === 0) return new Map();
  const newest = sql`
    (select last.id from unnest(${pgArray(reportIds)}::uuid[]) report (id)
     cross join lateral (select sending.id from report_sendings sending where sending.report_id = report.id order by sending.id desc limit 1) last)`;
  const rows = await ctx.db
    .select(columns)
    .from(reportSendings)
    .where(and(isOwn(ctx), inArray(reportSendings.id, newest)));
  return new Map((await withCounts(ctx, rows)).map((sending) => [sending.reportId, sending]));
}

function isOwn(ctx: Ctx<TenantActor>) {
  return eq(reportSendings.accountId, ctx.actor.accountId);
}

/** The key of the notification that carries a sending's emails. */
export function sendingKey(id: ReportSendingId): string {
  return `report/${id}`;
}

const columns = {
  id: reportSendings.id,
  reportId: reportSendings.reportId,
  dueAt: reportSendings.dueAt,
  missed: reportSendings.missed,
  firstDay: reportSendings.firstDay,
  lastDay: reportSendings.lastDay,
  query: reportSendings.query,
  format: reportSendings.format,
  createdAt: reportSendings.createdAt,
};
type Row = Pick<typeof reportSendings.$inferSelect, keyof typeof columns>;

/**
 * Kept emails are those to people who get none of them, those of demo accounts, and all where no mail server is
 * configured.
 */
const countedAs = {
  sent: "sent",
  waiting: "waiting",
  sending: "waiting",
  failed: "failed",
  suppressed: "kept",
  awaiting_digest: undefined,
  in_digest: undefined,
} as const satisfies Record<MailState, string | undefined>;

const countRow = z.object({ key: z.string(), state: columnValue(mails.state), count: z.coerce.number() });

/**
 * Adds the numbers of each sending's emails, which were created in its transaction: in the partition of its month. Each
 * notification is read by its key, and its emails by theirs. The key is stated twice: without statistics PostgreSQL
 * believes that it finds as many emails as a range of ids does, and reads all emails of that hour.
 */
async function withCounts(ctx: Ctx<TenantActor>, sendings: readonly Row[]) {
  const ranges = sendings.map(({ id }) => idsAround<MailId>(id));
  const found =
    sendings.length === 0
      ? []
      : await queryRows(
          ctx.db,
          countRow,
          sql`
            select sending.key, mail.state, count(*) as count
            from unnest(${pgArray(sendings.map(({ id }) => sendingKey(id)))}::text[], ${pgArray(ranges.map(({ from }) => from))}::uuid[],
              ${pgArray(ranges.map(({ until }) => until))}::uuid[]) sending (key, first_id, end_id)
            cross join lateral (select id from notifications where account_id = ${ctx.actor.accountId} and event_key = sending.key offset 0) notification
            cross join lateral (
              select state from mails where notification_id = notification.id and notification_id between notification.id and notification.id
                and id >= sending.first_id and id < sending.end_id offset 0) mail
            group by sending.key, mail.state`,
        );
  return sendings.map((sending) => {
    const counts = { sent: 0, waiting: 0, failed: 0, kept: 0 };
    for (const { key, state, count: number } of found) {
      const name = countedAs[state];
      if (name && key === sendingKey(sending.id)) counts[name] += number;
    }
    return { ...sending, ...counts };
  });
}
