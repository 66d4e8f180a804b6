import { z } from "zod";
import { isTimeZone } from "../time-zone.ts";
import { mailDeliveries } from "./mail-settings.ts";
import { notificationEvents } from "./notification.ts";

/** The form of one's mails: it owns all of its fields, so that an event without a tick is off. */
export const mailSettingsSchema = z.object({
  delivery: z.enum(mailDeliveries, "Choose when mails are sent"),
  time_zone: z.string("Choose a time zone").refine(isTimeZone, "Choose a time zone from the list"),
  events: z.array(z.enum(notificationEvents, "Unknown mail")).max(notificationEvents.length).default([]),
});
export type MailSettingsChange = z.output<typeof mailSettingsSchema>;
