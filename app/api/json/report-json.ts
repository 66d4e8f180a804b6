import { z } from "zod";
import { timeOrNull, wire } from "#app/api/wire.ts";
import type { ReportSending } from "#app/domain/reports/list-report-sendings.server.ts";
import { type Report, recipientStates } from "#app/domain/reports/list-reports.server.ts";
import { reportRanges } from "#app/domain/reports/report-period.ts";
import { reportFormats, reportFrequencies, weekdays } from "#app/domain/reports/report-schedule.ts";

const recipientSchema = z.object({
  name: z.string().describe("Empty for a person who left the account"),
  email: z.string().describe("Empty for a person who left the account"),
  state: z
    .enum(recipientStates)
    .describe(
      "Only `active` people receive the report: `muted` ones turned these emails off, `suppressed` ones have to confirm their address first",
    ),
});

const scheduleSchema = z.object({
  frequency: z.enum(reportFrequencies),
  weekday: z.enum(weekdays).describe("Used by weekly reports"),
  day_of_month: z.int().describe("Used by monthly reports; the last day of a month that lacks it"),
  hour: z.int().describe("0 to 23, in the time zone"),
  time_zone: z.string().describe("IANA name, such as Europe/Berlin"),
  range: z.enum(reportRanges).describe("The days of the report, counted back from the day on which it is due"),
  format: z.enum(reportFormats),
  recipients: z.array(recipientSchema),
  is_paused: z.boolean(),
  next_due_at: wire.time.nullable().describe("Null while it is paused"),
});

export const reportSendingJsonSchema = z.object({
  id: wire.id,
  report_id: wire.id,
  due_at: wire.time.nullable().describe("Null when a person asked for the email"),
  missed: wire.count.describe("Due moments before this one that were missed"),
  from: wire.date,
  to: wire.date,
  format: z.enum(reportFormats),
  query: z.string().describe("The view, with the dates"),
  created_at: wire.time,
  emails: z.object({
    sent: wire.count,
    waiting: wire.count,
    failed: wire.count,
    not_emailed: wire.count.describe(
      "Kept instead of sent: the recipient gets none of these emails, or no mail server is configured",
    ),
  }),
});

export const reportJsonSchema = z.object({
  id: wire.id,
  name: z.string(),
  query: z.string().describe("The query of the analytics page that shows the report"),
  created_at: wire.time,
  schedule: scheduleSchema.nullable(),
  last_sending: reportSendingJsonSchema.nullable(),
});

export function reportJson({ id, name, query, createdAt, schedule, lastSending }: Report) {
  return {
    id,
    name,
    query,
    created_at: createdAt.toISOString(),
    schedule: schedule && scheduleJson(schedule),
    last_sending: lastSending ? reportSendingJson(lastSending) : null,
  };
}

function scheduleJson(schedule: NonNullable<Report["schedule"]>) {
  const { frequency, weekday, hour, range, format, recipients } = schedule;
  return {
    frequency,
    weekday,
    day_of_month: schedule.dayOfMonth,
    hour,
    time_zone: schedule.timeZone,
    range,
    format,
    recipients: recipients.map(({ name, email, state }) => ({ name, email, state })),
    is_paused: schedule.isPaused,
    next_due_at: timeOrNull(schedule.nextDueAt),
  };
}

export function reportSendingJson(row: ReportSending) {
  return {
    id: row.id,
    report_id: row.reportId,
    due_at: timeOrNull(row.dueAt),
    missed: row.missed,
    from: row.firstDay,
    to: row.lastDay,
    format: row.format,
    query: row.query,
    created_at: row.createdAt.toISOString(),
    emails: { sent: row.sent, waiting: row.waiting, failed: row.failed, not_emailed: row.kept },
  };
}
