import { accounts, mails, notifications, users } from "#db/schema/index.ts";

/** What a mail is made of. */
export const mailColumns = {
  id: mails.id,
  address: mails.address,
  state: mails.state,
  attempts: mails.attempts,
  lastError: mails.lastError,
  createdAt: mails.createdAt,
  personName: users.name,
  accountType: accounts.type,
  isDemo: accounts.isDemo,
  event: notifications.event,
  campaignId: notifications.campaignId,
  subjectId: notifications.subjectId,
  facts: notifications.facts,
};
