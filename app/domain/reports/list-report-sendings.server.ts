import { and, count, desc, eq, gte, inArray, lt, or } from "drizzle-orm";
import { mails, notifications, reportSendings } from "#db/schema/index.ts";
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

/** Returns the last sending of each report, or of one. */
export async function listLastSendings(
  ctx: Ctx<TenantActor>,
  reportId?: SavedViewId,
): Promise<Map<SavedViewId, ReportSending>> {
  const rows = await ctx.db
    .selectDistinctOn([reportSendings.reportId], columns)
    .from(reportSendings)
    .where(and(isOwn(ctx), reportId && eq(reportSendings.reportId, reportId)))
    .orderBy(reportSendings.reportId, desc(reportSendings.id));
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

/** Kept emails are those of demo accounts, and all where no mail server is configured. */
const countedAs = {
  sent: "sent",
  waiting: "waiting",
  sending: "waiting",
  failed: "failed",
  suppressed: "kept",
  awaiting_digest: undefined,
  in_digest: undefined,
} as const satisfies Record<MailState, string | undefined>;

/** Adds the numbers of each sending's emails, which were created in its transaction: in the partition of its month. */
async function withCounts(ctx: Ctx<TenantActor>, sendings: readonly Row[]) {
  const ranges = sendings.map(({ id }) => idsAround<MailId>(id));
  const found =
    sendings.length === 0
      ? []
      : await ctx.db
          .select({ key: notifications.eventKey, state: mails.state, count: count() })
          .from(notifications)
          .innerJoin(mails, eq(mails.notificationId, notifications.id))
          .where(
            and(
              eq(notifications.accountId, ctx.actor.accountId),
              inArray(
                notifications.eventKey,
                sendings.map(({ id }) => sendingKey(id)),
              ),
              or(...ranges.map(({ from, until }) => and(gte(mails.id, from), lt(mails.id, until)))),
            ),
          )
          .groupBy(notifications.eventKey, mails.state);
  return sendings.map((sending) => {
    const counts = { sent: 0, waiting: 0, failed: 0, kept: 0 };
    for (const { key, state, count: number } of found) {
      const name = countedAs[state];
      if (name && key === sendingKey(sending.id)) counts[name] += number;
    }
    return { ...sending, ...counts };
  });
}
