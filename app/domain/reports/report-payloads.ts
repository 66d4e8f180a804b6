import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { savedViewLimits } from "../saved-views/saved-view.ts";
import { requiredText } from "../text.ts";
import { isTimeZone } from "../time-zone.ts";
import { reportRanges } from "./report-period.ts";
import { reportFormats, reportFrequencies, reportLimits, weekdays } from "./report-schedule.ts";

/** Schemas of report payloads. Fields are named as in the audit trail. */
const name = requiredText({ max: savedViewLimits.name, message: "Enter a name" });
const query = z.string("Send the query of the analytics page as text").max(8_000, "This query is too long");

/** The form of a new report. `query` is that of the analytics page. */
export const newReportSchema = z.object({ name, query: query.default("") });
export type NewReport = z.output<typeof newReportSchema>;

/** A change of a report: absent means unchanged. */
export const reportChangesSchema = z.object({ name: name.optional(), query: query.optional() });
export type ReportChanges = z.output<typeof reportChangesSchema>;

export const reportNameSchema = z.object({ name });

const recipientsMessage = "Choose at least one person";
const unknownRecipient = "Choose people from the list";

/** The schedule of a report. Recipients are email addresses of people of the account. */
export const reportScheduleSchema = z.object({
  frequency: z.enum(reportFrequencies, "Choose how often the report is sent"),
  weekday: z.enum(weekdays, "Choose a day of the week").default("monday"),
  day_of_month: wholeNumber({ min: 1, max: 31, message: "Choose a day from 1 to 31" }).default(1),
  hour: wholeNumber({ min: 0, max: 23, message: "Choose an hour from 0 to 23" }),
  time_zone: z.string("Choose a time zone").refine(isTimeZone, "Choose a time zone from the list"),
  range: z.enum(reportRanges, "Choose the days that the report covers"),
  format: z.enum(reportFormats, "Choose a file format"),
  recipients: z
    .array(z.string(unknownRecipient).max(320, unknownRecipient), recipientsMessage)
    .min(1, recipientsMessage)
    .max(reportLimits.recipients, `Choose at most ${reportLimits.recipients} people`)
    .transform((addresses) => [...new Set(addresses.map((address) => address.trim().toLowerCase()))]),
});
export type ReportScheduleInput = z.output<typeof reportScheduleSchema>;

function wholeNumber({ min, max, message }: { min: number; max: number; message: string }) {
  return z
    .union([z.string(), z.number()], message)
    .transform((value, ctx): number => {
      const number = /^\s*\d{1,2}\s*$/.test(String(value)) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .register(fieldRules, { patterns: [[/^\s*\d{1,2}\s*$/, message]], min: [min, message], max: [max, message] })
    .meta({ type: "integer", minimum: min, maximum: max });
}
