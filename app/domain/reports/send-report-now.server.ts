import { eq } from "drizzle-orm";
import { reportSchedules } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { ReportSendingId, SavedViewId, UserId } from "../ids.ts";
import { findSuppression } from "../notifications/feedback/find-suppression.server.ts";
import { getMailSettings } from "../notifications/get-mail-settings.server.ts";
import { localDateOf } from "../time-zone.ts";
import { inTransaction } from "../transaction.server.ts";
import { createSending } from "./create-sending.server.ts";
import { lockReport } from "./own-reports.server.ts";
import { resolveReportPeriod } from "./report-period.ts";
import { parseReportQuery } from "./report-query.ts";

/**
 * Emails a report to one person of the account at once, as its schedule does; without a schedule with the dates of its
 * view and as CSV. Throws `not_found`, and `invalid_transition` for a person who turned these emails off or whose
 * address emails are held back from, or when the account is closed.
 */
export async function sendReportNow(
  ctx: Ctx<TenantActor>,
  { id, userId }: { id: SavedViewId; userId: UserId },
): Promise<ReportSendingId> {
  return inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, tx.actor.accountId);
    const report = await lockReport(tx, id);
    const { events } = await getMailSettings(tx, { userId });
    if (!events.includes("report_ready")) {
      throw new DomainError(
        "invalid_transition",
        "You turned off emails of scheduled reports. Turn them on in your email settings first.",
      );
    }
    const suppression = await findSuppression(tx, { userId });
    if (suppression) {
      throw new DomainError(
        "invalid_transition",
        `We don't send emails to ${suppression.address} at the moment. Confirm the address in your profile, then send the report again.`,
      );
    }
    const [schedule] = await tx.db.select().from(reportSchedules).where(eq(reportSchedules.reportId, id));
    return createSending(tx, {
      report: { ...report, accountId: tx.actor.accountId },
      scheduleId: null,
      dueAt: null,
      missed: 0,
      period: schedule
        ? resolveReportPeriod(schedule.range, localDateOf(tx.clock(), schedule.timeZone))
        : parseReportQuery(tx, report.query).period,
      format: schedule?.format ?? "csv",
      recipients: [userId],
    });
  });
}
