import type { Period } from "../analytics/period.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ReportSendingId, SavedViewId, UserId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { createSending } from "./create-sending.server.ts";
import { lockReport } from "./own-reports.server.ts";
import type { ReportFormat } from "./report-schedule.ts";

/** Emails a report to one person of the account at once. Throws `not_found`. */
export async function sendReportNow(
  ctx: Ctx<TenantActor>,
  { id, userId, period, format }: { id: SavedViewId; userId: UserId; period: Period; format: ReportFormat },
): Promise<ReportSendingId> {
  return inTransaction(ctx, async (tx) => {
    const report = { ...(await lockReport(tx, id)), accountId: tx.actor.accountId };
    return createSending(tx, {
      report,
      scheduleId: null,
      dueAt: null,
      missed: 0,
      period,
      format,
      recipients: [userId],
    });
  });
}
