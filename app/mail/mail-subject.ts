import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";

/** Returns whether the mail is a digest, which contains further notifications. */
export function isDigest(mail: Pick<ListedMail, "id" | "digestId">): boolean {
  return mail.digestId === mail.id;
}

/** Returns the title of a mail, which is also its subject. */
export function mailTitle(mail: ListedMail): string {
  if (!isDigest(mail)) return describeNotification(mail, mail.accountType, mail.timeZone).title;
  return `Your daily summary: ${mail.carries} ${mail.carries === 1 ? "notification" : "notifications"}`;
}
