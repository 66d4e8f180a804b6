import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { wordsOf } from "#app/domain/notifications/notification-words.ts";

/** Whether it is a daily mail, which carries other notices beside its own. */
export function isDigest(mail: Pick<ListedMail, "id" | "digestId">): boolean {
  return mail.digestId === mail.id;
}

/** What a mail is called, as its title says it. */
export function titleOf(mail: ListedMail): string {
  if (!isDigest(mail)) return wordsOf(mail, mail.accountType, mail.timeZone).title;
  return `Your daily summary: ${mail.carries} ${mail.carries === 1 ? "notification" : "notifications"}`;
}
