import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { AccountId, ReportScheduleId, ReportSendingId, SavedViewId, UserId } from "#app/domain/ids.ts";
import { type ReportRange, reportRanges } from "#app/domain/reports/report-period.ts";
import {
  type ReportFormat,
  type ReportFrequency,
  reportFormats,
  reportFrequencies,
  type Weekday,
  weekdays,
} from "#app/domain/reports/report-schedule.ts";
import { createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { users } from "./accounts.ts";
import { savedViews } from "./saved-views.ts";

/** When a report is emailed. `nextDueAt` is null while it is paused. */
export const reportSchedules = pgTable(
  "report_schedules",
  {
    id: primaryId<ReportScheduleId>(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    reportId: uuid("report_id").$type<SavedViewId>().notNull(),
    frequency: text("frequency").$type<ReportFrequency>().notNull(),
    weekday: text("weekday").$type<Weekday>().notNull(),
    dayOfMonth: integer("day_of_month").notNull(),
    hour: integer("hour").notNull(),
    timeZone: text("time_zone").notNull(),
    range: text("range").$type<ReportRange>().notNull(),
    format: text("format").$type<ReportFormat>().notNull(),
    isPaused: boolean("is_paused").notNull().default(false),
    nextDueAt: instant("next_due_at"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("report_schedules_report").on(table.reportId),
    unique("report_schedules_id_account").on(table.id, table.accountId),
    foreignKey({
      name: "report_schedules_report_account",
      columns: [table.reportId, table.accountId],
      foreignColumns: [savedViews.id, savedViews.accountId],
    }).onDelete("cascade"),
    oneOf("report_schedules_frequency", table.frequency, reportFrequencies),
    oneOf("report_schedules_weekday", table.weekday, weekdays),
    oneOf("report_schedules_range", table.range, reportRanges),
    oneOf("report_schedules_format", table.format, reportFormats),
    check("report_schedules_time", sql`${table.hour} between 0 and 23 and ${table.dayOfMonth} between 1 and 31`),
    check("report_schedules_time_zone", sql`${table.timeZone} ~ '^[A-Za-z0-9_+/-]{1,64}$'`),
    check("report_schedules_paused", sql`${table.isPaused} = (${table.nextDueAt} is null)`),
    index("report_schedules_due").on(table.nextDueAt).where(sql`${table.nextDueAt} is not null`),
  ],
);

/** The people that a schedule sends to. Who is no longer in the account receives nothing. */
export const reportRecipients = pgTable(
  "report_recipients",
  {
    scheduleId: uuid("schedule_id").$type<ReportScheduleId>().notNull(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    userId: uuid("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.scheduleId, table.userId] }),
    foreignKey({
      name: "report_recipients_schedule",
      columns: [table.scheduleId, table.accountId],
      foreignColumns: [reportSchedules.id, reportSchedules.accountId],
    }).onDelete("cascade"),
    index("report_recipients_user").on(table.userId),
  ],
);

/**
 * A report that was sent: at a due moment of its schedule, once, or without one because a person asked for it. Inserted
 * in the transaction of its emails. `query` has the dates.
 */
export const reportSendings = pgTable(
  "report_sendings",
  {
    id: primaryId<ReportSendingId>(),
    accountId: uuid("account_id").$type<AccountId>().notNull(),
    reportId: uuid("report_id").$type<SavedViewId>().notNull(),
    scheduleId: uuid("schedule_id")
      .$type<ReportScheduleId>()
      .references(() => reportSchedules.id, { onDelete: "set null" }),
    dueAt: instant("due_at"),
    /** The number of due moments before this one that were missed, such as during an outage. */
    missed: integer("missed").notNull().default(0),
    firstDay: date("first_day", { mode: "string" }).$type<CalendarDate>().notNull(),
    lastDay: date("last_day", { mode: "string" }).$type<CalendarDate>().notNull(),
    query: text("query").notNull(),
    format: text("format").$type<ReportFormat>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("report_sendings_once").on(table.scheduleId, table.dueAt),
    foreignKey({
      name: "report_sendings_report_account",
      columns: [table.reportId, table.accountId],
      foreignColumns: [savedViews.id, savedViews.accountId],
    }).onDelete("cascade"),
    oneOf("report_sendings_format", table.format, reportFormats),
    check("report_sendings_days", sql`${table.firstDay} <= ${table.lastDay} and ${table.missed} >= 0`),
    check(
      "report_sendings_query",
      sql`char_length(${table.query}) <= 1200 and ${table.query} ~ '^[A-Za-z0-9*._+%=&-]*$'`,
    ),
    index("report_sendings_report").on(table.reportId, table.id),
  ],
);
