import type { AccountType } from "#app/domain/accounts/account.ts";
import type { listNotifications } from "#app/domain/notifications/list-notifications.server.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";

type Listed = Awaited<ReturnType<typeof listNotifications>>["rows"][number];

/** A notification as lists show it to a side, with times in the person's zone. */
export function toNotificationRow(row: Listed, portal: AccountType, timeZone: string) {
  const { title, lines, quote } = describeNotification(row, portal, timeZone);
  return { id: row.id, title, line: lines[0], quote, createdAt: row.createdAt, isRead: row.readAt !== null };
}
