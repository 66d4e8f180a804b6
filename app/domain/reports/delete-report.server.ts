import { eq } from "drizzle-orm";
import { reportSchedules, savedViews } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { SavedViewId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockReport, lockSchedule } from "./own-reports.server.ts";

/** Deletes a report with its schedule and the list of its emails, and returns its name. Throws `not_found`. */
export async function deleteReport(ctx: Ctx<TenantActor>, { id }: { id: SavedViewId }): Promise<{ name: string }> {
  return inTransaction(ctx, async (tx) => {
    const { name } = await lockReport(tx, id);
    await tx.db.delete(savedViews).where(eq(savedViews.id, id));
    await recordAudit(tx, {
      action: "report.deleted",
      entity: "report",
      entityId: id,
      accountId: tx.actor.accountId,
      before: { name },
    });
    return { name };
  });
}

/** Deletes the schedule of a report, which stays. Throws `not_found`. */
export async function deleteReportSchedule(ctx: Ctx<TenantActor>, { id }: { id: SavedViewId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { name } = await lockReport(tx, id);
    const schedule = await lockSchedule(tx, id);
    await tx.db.delete(reportSchedules).where(eq(reportSchedules.id, schedule.id));
    await recordAudit(tx, {
      action: "report.unscheduled",
      entity: "report",
      entityId: id,
      accountId: tx.actor.accountId,
      before: { name },
    });
  });
}
