import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { pgArray, sqlValue } from "#db/query-rows.server.ts";
import {
  mailSettings,
  mailSuppressions,
  reportRecipients,
  reportSchedules,
  savedViews,
  users,
} from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { ReportScheduleId, SavedViewId } from "../ids.ts";
import { isSuppressed } from "../notifications/feedback/find-suppression.server.ts";
import { listLastSendings } from "./list-report-sendings.server.ts";
import { ownReports } from "./own-reports.server.ts";
import { reportLimits } from "./report-schedule.ts";

/** Lists the account's reports by name, each with its schedule and its last sending. */
export async function listReports(ctx: Ctx<TenantActor>) {
  const rows = await selectReports(ctx).orderBy(sql`lower(${savedViews.name})`).limit(reportLimits.perAccount);
  const last = await listLastSendings(
    ctx,
    rows.map(({ id }) => id),
  );
  const people = await listRecipients(
    ctx,
    rows.flatMap(({ schedule }) => schedule?.id ?? []),
  );
  return rows.map((row) => withDetails(row, people, last.get(row.id)));
}

/** Returns a report as the list has it. Throws `not_found`. */
export async function getReport(ctx: Ctx<TenantActor>, id: SavedViewId) {
  const [row] = await selectReports(ctx, id);
  if (!row) throw notFound("Report");
  const last = await listLastSendings(ctx, [id]);
  return withDetails(row, await listRecipients(ctx, row.schedule ? [row.schedule.id] : []), last.get(id));
}

/**
 * Whether a recipient receives a report: people who turned these emails off, whose address emails are held back from,
 * or who left the account do not.
 */
export const recipientStates = ["active", "muted", "suppressed", "left"] as const;

export type Report = Awaited<ReturnType<typeof getReport>>;

function selectReports(ctx: Ctx<TenantActor>, id?: SavedViewId) {
  return ctx.db
    .select({
      id: savedViews.id,
      name: savedViews.name,
      query: savedViews.query,
      createdAt: savedViews.createdAt,
      schedule: reportSchedules,
    })
    .from(savedViews)
    .leftJoin(reportSchedules, eq(reportSchedules.reportId, savedViews.id))
    .where(and(ownReports(ctx), id && eq(savedViews.id, id)))
    .$dynamic();
}

type Row = Awaited<ReturnType<typeof selectReports>>[number];
type Recipients = Awaited<ReturnType<typeof listRecipients>>;
type Sending = Awaited<ReturnType<typeof listLastSendings>> extends Map<SavedViewId, infer One> ? One : never;

function withDetails({ schedule, ...report }: Row, people: Recipients, lastSending: Sending | undefined) {
  return {
    ...report,
    schedule: schedule && { ...schedule, recipients: people.filter(({ scheduleId }) => scheduleId === schedule.id) },
    lastSending,
  };
}

/**
 * Lists the recipients of schedules. `state` says who receives nothing, and why. The name and email address of people
 * who are no longer in the account are not its business.
 */
async function listRecipients(ctx: Ctx<TenantActor>, ids: readonly ReportScheduleId[]) {
  if (ids.length === 0) return [];
  const isMember = sql`${users.accountId} = ${ctx.actor.accountId}`;
  return ctx.db
    .select({
      scheduleId: reportRecipients.scheduleId,
      userId: reportRecipients.userId,
      name: sqlValue(z.string(), sql`case when ${isMember} then ${users.name} else '' end`),
      email: sqlValue(z.string(), sql`case when ${isMember} then ${users.email} else '' end`),
      state: sqlValue(
        z.enum(recipientStates),
        sql`case when ${isMember} is not true then 'left' when 'report_ready' = any(${mailSettings.muted}) then 'muted'
          when ${isSuppressed} then 'suppressed' else 'active' end`,
      ),
    })
    .from(reportRecipients)
    .innerJoin(users, eq(users.id, reportRecipients.userId))
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .leftJoin(mailSuppressions, eq(mailSuppressions.userId, users.id))
    .where(and(eq(reportRecipients.accountId, ctx.actor.accountId), inArray(reportRecipients.scheduleId, [...ids])))
    .orderBy(users.name, users.id);
}

/** The maximum number of people that a schedule offers. */
const maxPeople = 100;

/**
 * Lists people of the account by name, whom a report can be sent to: up to 100, among them those who receive it now, so
 * that a change of the schedule keeps them.
 */
export async function listReportPeople(ctx: Ctx<TenantActor>, schedule: Report["schedule"]) {
  const { id, name, email } = users;
  const recipients = schedule?.recipients.map(({ userId }) => userId) ?? [];
  const people = await ctx.db
    .select({ id, name, email, place: sqlValue(z.coerce.number(), sql`row_number() over (order by ${name}, ${id})`) })
    .from(users)
    .where(eq(users.accountId, ctx.actor.accountId))
    .orderBy(sql`${id} = any(${pgArray(recipients)}::uuid[]) desc`, name, id)
    .limit(maxPeople);
  return people.sort((one, other) => one.place - other.place).map(({ place: _, ...person }) => person);
}
