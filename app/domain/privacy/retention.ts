/** How long data is kept that is deleted by itself. Pure. */

/** The settings of the installation, each a number of days, with their default. */
export const retentionDefaults = {
  /** From its creation, the email address of a mail. */
  mailAddresses: 90,
  /** Notifications and the record of their mails. */
  notifications: 400,
  /** Deliveries of webhooks, with the data that was sent. */
  webhookDeliveries: 30,
  /** People who signed in and never registered a company. */
  unregisteredPeople: 90,
} as const;
export type RetentionDays = Record<keyof typeof retentionDefaults, number>;

/** The limits of each setting, in days. */
export const retentionLimits = { min: 7, max: 3_650 } as const;
