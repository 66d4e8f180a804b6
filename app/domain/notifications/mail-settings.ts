/** The delivery options of mails. Pure. */
export const mailDeliveries = ["immediate", "daily"] as const;
export type MailDelivery = (typeof mailDeliveries)[number];

/** The hour at which the daily mail is sent, in the user's time zone. */
export const digestHour = 8;
