import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts, mailSettings, reportSendings, savedViews, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { parseId, type ReportSendingId, type UserId } from "../ids.ts";

/**
 * Returns what the email of a sending is made from; undefined when the report was deleted, or when the person has left
 * the account, or turned these emails off, or the account was suspended.
 */
export async function findReportMail(ctx: VisitorCtx, { subjectId, userId }: { subjectId: string; userId: UserId }) {
  const id = parseId<ReportSendingId>(subjectId);
  if (!id) return undefined;
  const [row] = await ctx.db
    .select({
      id: reportSendings.id,
      reportId: reportSendings.reportId,
      accountId: reportSendings.accountId,
      accountType: accounts.type,
      companyName: accounts.companyName,
      name: savedViews.name,
      mode: savedViews.mode,
      query: reportSendings.query,
      format: reportSendings.format,
      isMuted: sqlValue(z.boolean(), sql`coalesce('report_ready' = any(${mailSettings.muted}), false)`),
    })
    .from(reportSendings)
    .innerJoin(savedViews, eq(savedViews.id, reportSendings.reportId))
    .innerJoin(accounts, eq(accounts.id, reportSendings.accountId))
    .innerJoin(users, and(eq(users.id, userId), eq(users.accountId, reportSendings.accountId)))
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .where(and(eq(reportSendings.id, id), eq(accounts.status, "approved")));
  return row?.isMuted ? undefined : row;
}
