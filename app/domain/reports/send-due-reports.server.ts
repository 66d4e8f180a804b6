import { and, eq, lte, sql } from "drizzle-orm";
import { accounts, reportRecipients, reportSchedules, savedViews } from "#db/schema/index.ts";
import { lockOpenAccount } from "../accounts/require-open-account.server.ts";
import type { Ctx, JobActor } from "../context.ts";
import { forEachItem } from "../for-each-item.ts";
import { readInParts } from "../read-in-parts.ts";
import { inTransaction } from "../transaction.server.ts";
import { createSending } from "./create-sending.server.ts";
import { resolveReportPeriod } from "./report-period.ts";
import { countDueMoments, dueDateOf, lastDueUntil, nextDueAfter } from "./report-schedule.ts";

const batchSize = 200;

/**
 * Sends all reports that are due, each due moment once: the sending, its emails and the next due moment are written in
 * one transaction. Of several missed moments the latest is sent and the others are counted. Returns how many reports
 * were sent. One that fails does not keep the others from it; its error is thrown in the end.
 */
export async function sendDueReports(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  const due = readInParts<DueSchedule>((after) => listDue(ctx, { now, after }));
  return forEachItem(ctx, due, {
    kind: "schedules",
    nameOf: ({ id }) => id,
    work: (schedule) => inTransaction(ctx, (tx) => sendDueReport(tx, schedule)),
  });
}

type DueSchedule = Pick<typeof reportSchedules.$inferSelect, "id" | "accountId" | "nextDueAt">;

function listDue(
  ctx: Ctx<JobActor>,
  { now, after }: { now: Date; after: DueSchedule | undefined },
): Promise<DueSchedule[]> {
  const { id, accountId, nextDueAt } = reportSchedules;
  const isAfter =
    after && sql`(${nextDueAt}, ${id}) > (${after.nextDueAt?.toISOString()}::timestamptz, ${after.id}::uuid)`;
  return ctx.db
    .select({ id, accountId, nextDueAt })
    .from(reportSchedules)
    .where(and(lte(nextDueAt, now), isAfter))
    .orderBy(nextDueAt, id)
    .limit(batchSize);
}

async function sendDueReport(ctx: Ctx<JobActor>, { id, accountId }: DueSchedule): Promise<number> {
  const now = ctx.clock();
  if (!(await lockOpenAccount(ctx, accountId))) return 0;
  const [row] = await ctx.db
    .select({ schedule: reportSchedules, report: savedViews, accountStatus: accounts.status })
    .from(reportSchedules)
    .innerJoin(savedViews, eq(savedViews.id, reportSchedules.reportId))
    .innerJoin(accounts, eq(accounts.id, reportSchedules.accountId))
    .where(and(eq(reportSchedules.id, id), lte(reportSchedules.nextDueAt, now)))
    .for("update", { of: reportSchedules, skipLocked: true });
  // Another process has it, or has just sent it.
  if (!row?.schedule.nextDueAt) return 0;
  const { schedule, report, accountStatus } = row;
  const promised = row.schedule.nextDueAt;
  // Rules of time zones change: the promised moment is sent even if it is none by today's rules.
  const latest = lastDueUntil(schedule, now);
  const dueAt = new Date(Math.max(latest.getTime(), promised.getTime()));
  await ctx.db
    .update(reportSchedules)
    .set({ nextDueAt: nextDueAfter(schedule, now) })
    .where(eq(reportSchedules.id, id));
  // A suspended account has no access to its figures.
  if (accountStatus !== "approved") return 0;
  const recipients = await ctx.db
    .select({ userId: reportRecipients.userId })
    .from(reportRecipients)
    .where(eq(reportRecipients.scheduleId, id));
  await createSending(ctx, {
    report,
    scheduleId: id,
    dueAt,
    missed: countDueMoments(schedule, { from: promised, to: dueAt }),
    period: resolveReportPeriod(schedule.range, dueDateOf(schedule, dueAt)),
    format: schedule.format,
    recipients: recipients.map(({ userId }) => userId),
  });
  return 1;
}
