/**
 * The job that sends a mail, with its maximum number of attempts. Graphile Worker waits exp(min(10, attempts)) seconds
 * between them, at most 22,026 each: 28 hours in total. Scheduled reports, each of which may take seconds to create,
 * have a priority after other mails and before webhooks.
 */
export const sendMailTask = { name: "send_mail", attempts: 14, reportPriority: 5 } as const;
