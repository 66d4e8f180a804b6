import { z } from "zod";
import { isTimeZone } from "../time-zone.ts";
import { mailDeliveries } from "./mail-settings.ts";
import { notificationEvents } from "./notification.ts";

/**
 * The form of mail settings. It always submits all of its fields, so that an unchecked event is off. `opened_events`
 * are those that were on when the form was opened, separated by spaces: what the person left as it was is not changed.
 */
export const mailSettingsSchema = z.object({
  delivery: z.enum(mailDeliveries, "Choose when to receive emails"),
  time_zone: z.string("Choose a time zone").refine(isTimeZone, "Choose a time zone from the list"),
  events: z.array(z.enum(notificationEvents, "Unknown notification type")).max(notificationEvents.length).default([]),
  opened_events: z.string().max(2_000).optional(),
});
export type MailSettingsInput = z.output<typeof mailSettingsSchema>;
