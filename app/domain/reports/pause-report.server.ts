import { eq } from "drizzle-orm";
import { reportSchedules } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { SavedViewId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockReport, lockSchedule } from "./own-reports.server.ts";
import { nextDueAfter } from "./report-schedule.ts";

/** Pauses the schedule of a report. No effect on a paused one. Throws `not_found`. */
export function pauseReport(ctx: Ctx<TenantActor>, { id }: { id: SavedViewId }): Promise<void> {
  return setPaused(ctx, { id, isPaused: true });
}

/** Resumes the schedule of a report. What was due during the pause is not sent. Throws `not_found`. */
export function resumeReport(ctx: Ctx<TenantActor>, { id }: { id: SavedViewId }): Promise<void> {
  return setPaused(ctx, { id, isPaused: false });
}

async function setPaused(ctx: Ctx<TenantActor>, { id, isPaused }: { id: SavedViewId; isPaused: boolean }) {
  await inTransaction(ctx, async (tx) => {
    const { name } = await lockReport(tx, id);
    const schedule = await lockSchedule(tx, id);
    if (schedule.isPaused === isPaused) return;
    const nextDueAt = isPaused ? null : nextDueAfter(schedule, tx.clock());
    await tx.db.update(reportSchedules).set({ isPaused, nextDueAt }).where(eq(reportSchedules.id, schedule.id));
    await recordAudit(tx, {
      action: isPaused ? "report.paused" : "report.resumed",
      entity: "report",
      entityId: id,
      accountId: tx.actor.accountId,
      after: { name },
    });
  });
}
