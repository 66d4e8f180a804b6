import { z } from "zod";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";

/** The forms of a schedule's page, distinguished by button. */
export const scheduleFormSchema = z.discriminatedUnion("intent", [
  reportScheduleSchema.extend({ intent: z.literal("save") }),
  z.object({ intent: z.literal("delete") }),
]);
