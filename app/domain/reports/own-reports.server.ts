import { and, eq, isNull } from "drizzle-orm";
import { reportSchedules, savedViews } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { SavedViewId } from "../ids.ts";
import { viewModeOf } from "../saved-views/own-views.server.ts";

/** The condition for the reports of the account, in the context's mode: its views of analytics without a person. */
export function ownReports(ctx: Ctx<TenantActor>) {
  return and(
    isNull(savedViews.userId),
    eq(savedViews.accountId, ctx.actor.accountId),
    eq(savedViews.mode, viewModeOf(ctx)),
  );
}

/** Locks a report, so that changes of it and of its schedule happen one after another. Throws `not_found`. */
export async function lockReport(ctx: Ctx<TenantActor>, id: SavedViewId) {
  const [report] = await ctx.db
    .select({ id: savedViews.id, name: savedViews.name, query: savedViews.query, mode: savedViews.mode })
    .from(savedViews)
    .where(and(ownReports(ctx), eq(savedViews.id, id)))
    .for("update");
  if (!report) throw notFound("Report");
  return report;
}

/** Returns a locked report's schedule. Throws `not_found` for a report without one. */
export async function lockSchedule(ctx: Ctx<TenantActor>, reportId: SavedViewId) {
  const [schedule] = await ctx.db
    .select()
    .from(reportSchedules)
    .where(and(eq(reportSchedules.reportId, reportId), eq(reportSchedules.accountId, ctx.actor.accountId)))
    .for("update");
  if (!schedule) throw notFound("Schedule");
  return schedule;
}
