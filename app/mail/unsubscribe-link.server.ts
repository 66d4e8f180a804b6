import { z } from "zod";
import { idSchema, type UserId } from "#app/domain/ids.ts";
import type { EndedMails } from "#app/domain/notifications/end-mails.server.ts";
import { notificationEvents } from "#app/domain/notifications/notification.ts";
import { sign, unsign } from "#app/web/signed.server.ts";

const purpose = "unsubscribe";
const schema = z.object({ user: idSchema<UserId>(), event: z.enum(notificationEvents).nullable() });

/** Where mails like one are ended, by whoever has the mail: without a session, for as long as it is kept. */
export function unsubscribePath({ userId, event }: EndedMails): `/${string}` {
  return `/unsubscribe?token=${encodeURIComponent(sign(purpose, { user: userId, event }))}`;
}

/** What a link of ours ends; undefined for one that is none, or not whole. */
export function readUnsubscribe(token: string): EndedMails | undefined {
  const read = unsign(purpose, token, schema);
  return read && { userId: read.user, event: read.event };
}
