import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { reportSendings } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { ReportSendingId, SavedViewId } from "../ids.ts";
import { keysetPage } from "../keyset-page.server.ts";
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
  return keyset.page(rows);
}

/** Returns one sending of a report. Throws `not_found`. */
export async function getReportSending(ctx: Ctx<TenantActor>, id: ReportSendingId) {
  const [sending] = await ctx.db
    .select(columns)
    .from(reportSendings)
    .where(and(isOwn(ctx), eq(reportSendings.id, id)));
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
  return new Map(rows.map((row) => [row.reportId, row]));
}

function isOwn(ctx: Ctx<TenantActor>) {
  return eq(reportSendings.accountId, ctx.actor.accountId);
}

/** The key of the notification that carries a sending's emails. */
export function sendingKey(id: ReportSendingId): string {
  return `report/${id}`;
}

const countOf = (states: string) =>
  sqlValue(
    z.number(),
    sql`(select count(*)::int from notifications notice join mails mail on mail.notification_id = notice.id
      where notice.account_id = "report_sendings"."account_id" and notice.event_key = 'report/' || "report_sendings"."id" and mail.state in (${sql.raw(states)}))`,
  );

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
  /** The numbers of emails. Kept ones are those of demo accounts, and all where no mail server is configured. */
  sent: countOf("'sent'"),
  waiting: countOf("'waiting', 'sending'"),
  failed: countOf("'failed'"),
  kept: countOf("'suppressed'"),
};
