import { reportSendings } from "#db/schema/index.ts";
import type { Period } from "../analytics/period.ts";
import type { Ctx } from "../context.ts";
import {
  type AccountId,
  newId,
  type ReportScheduleId,
  type ReportSendingId,
  type SavedViewId,
  type UserId,
} from "../ids.ts";
import { notifyAccounts } from "../notifications/notify-accounts.server.ts";
import type { SavedViewMode } from "../saved-views/saved-view.ts";
import { sendingKey } from "./list-report-sendings.server.ts";
import { isPeriodIncomplete } from "./report-period.ts";
import type { ReportFormat } from "./report-schedule.ts";

type NewSending = {
  report: { id: SavedViewId; accountId: AccountId; name: string; query: string; mode: SavedViewMode };
  /** Null when a person asked for it. */
  scheduleId: ReportScheduleId | null;
  dueAt: Date | null;
  missed: number;
  period: Period;
  format: ReportFormat;
  recipients: readonly UserId[];
};

/**
 * Records that a report is sent, with the emails and their jobs, in the caller's transaction. The unique key of the
 * schedule and the due moment admits each sending once.
 */
export async function createSending(ctx: Ctx, sending: NewSending): Promise<ReportSendingId> {
  const { report, scheduleId, dueAt, missed, period, format, recipients } = sending;
  const id = newId<ReportSendingId>();
  const { id: reportId, accountId } = report;
  const [now, query] = [ctx.clock(), withDates(report.query, period)];
  await ctx.db.insert(reportSendings).values({
    id,
    accountId,
    reportId,
    scheduleId,
    dueAt,
    missed,
    firstDay: period.from,
    lastDay: period.to,
    query,
    format,
    createdAt: now,
  });
  await notifyAccounts(ctx, [
    {
      event: "report_ready",
      accountId,
      key: sendingKey(id),
      subjectId: id,
      recipients,
      // The bell counts what needs attention.
      isSeen: true,
      facts: {
        report: report.name,
        reportId,
        query,
        firstDay: period.from,
        lastDay: period.to,
        isIncomplete: isPeriodIncomplete(period, dueAt ?? now) || undefined,
        isTestMode: report.mode === "test" || undefined,
      },
    },
  ]);
  return id;
}

/** Returns the query of analytics with these dates instead of its own. */
function withDates(query: string, { from, to }: Period): string {
  const dated = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ range: "custom", from, to })) dated.set(name, value);
  dated.sort();
  return dated.toString();
}
