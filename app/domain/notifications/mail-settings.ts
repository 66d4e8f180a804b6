/** How a person gets its mails. Pure. */
export const mailDeliveries = ["at_once", "daily"] as const;
export type MailDelivery = (typeof mailDeliveries)[number];

/** The hour of the daily mail, in the person's time zone. */
export const digestHour = 8;
