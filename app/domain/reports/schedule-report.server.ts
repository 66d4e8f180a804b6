import { and, eq, inArray, sql } from "drizzle-orm";
import { reportRecipients, reportSchedules, users } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { newId, type ReportScheduleId, type SavedViewId, type UserId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockReport } from "./own-reports.server.ts";
import type { ReportScheduleInput } from "./report-payloads.ts";
import { nextDueAfter, type ReportTiming } from "./report-schedule.ts";

/**
 * Schedules a report, or replaces its schedule; a paused one stays paused. A change of the time is in effect from the
 * next due moment on. Throws `not_found`, `invalid_input` for a recipient who is not a person of the account, and
 * `invalid_transition` when the account is closed.
 */
export async function scheduleReport(
  ctx: Ctx<TenantActor>,
  { id, ...input }: ReportScheduleInput & { id: SavedViewId },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    await requireOpenAccount(tx, accountId);
    const { name } = await lockReport(tx, id);
    const recipients = await findRecipients(tx, input.recipients);
    const [existing] = await tx.db.select().from(reportSchedules).where(eq(reportSchedules.reportId, id)).for("update");
    const timing = toTiming(input);
    const values = { ...timing, range: input.range, format: input.format };
    const hasSameTiming = existing?.nextDueAt && sameTiming(existing, timing);
    const nextDueAt = hasSameTiming ? existing.nextDueAt : nextDueAfter(timing, tx.clock());
    const scheduleId = existing?.id ?? newId<ReportScheduleId>();
    if (existing) {
      await tx.db
        .update(reportSchedules)
        .set({ ...values, nextDueAt: existing.isPaused ? null : nextDueAt })
        .where(eq(reportSchedules.id, scheduleId));
      await tx.db.delete(reportRecipients).where(eq(reportRecipients.scheduleId, scheduleId));
    } else {
      const schedule = { id: scheduleId, accountId, reportId: id, nextDueAt, createdAt: tx.clock() };
      await tx.db.insert(reportSchedules).values({ ...values, ...schedule });
    }
    await tx.db.insert(reportRecipients).values(recipients.map((userId) => ({ scheduleId, accountId, userId })));
    await recordAudit(tx, {
      action: existing ? "report.schedule_changed" : "report.scheduled",
      entity: "report",
      entityId: id,
      accountId,
      after: { name, frequency: input.frequency, recipients: recipients.length },
    });
  });
}

/** Returns the people of the account with these email addresses. Throws `invalid_input` when one is missing. */
async function findRecipients(ctx: Ctx<TenantActor>, addresses: readonly string[]): Promise<UserId[]> {
  const address = sql`lower(${users.email})`;
  const found = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountId, ctx.actor.accountId), inArray(address, [...addresses])));
  if (found.length < addresses.length) {
    throw invalidInput({
      recipients: ["A report is only sent to people of your account. Choose people from the list."],
    });
  }
  return found.map(({ id }) => id);
}

function toTiming({ frequency, weekday, day_of_month, hour, time_zone }: ReportScheduleInput): ReportTiming {
  return { frequency, weekday, dayOfMonth: day_of_month, hour, timeZone: time_zone };
}

function sameTiming(one: ReportTiming, other: ReportTiming): boolean {
  return (
    one.frequency === other.frequency &&
    one.weekday === other.weekday &&
    one.dayOfMonth === other.dayOfMonth &&
    one.hour === other.hour &&
    one.timeZone === other.timeZone
  );
}
