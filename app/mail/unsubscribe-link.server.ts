import { z } from "zod";
import { idSchema, type UserId } from "#app/domain/ids.ts";
import { notificationEvents } from "#app/domain/notifications/notification.ts";
import type { UnsubscribeTarget } from "#app/domain/notifications/unsubscribe-from-mails.server.ts";
import { sign, unsign } from "#app/web/signed-value.server.ts";

const purpose = "unsubscribe";
const schema = z.object({ user: idSchema<UserId>(), event: z.enum(notificationEvents).nullable() });

/**
 * Returns the path of the unsubscribe page for mails of this kind. The link works without a session for as long as the
 * mail exists.
 */
export function unsubscribePath({ userId, event }: UnsubscribeTarget): `/${string}` {
  return `/unsubscribe?token=${encodeURIComponent(sign(purpose, { user: userId, event }))}`;
}

/** Parses the token of an unsubscribe link; undefined for an invalid one. */
export function parseUnsubscribeToken(token: string): UnsubscribeTarget | undefined {
  const payload = unsign(purpose, token, schema);
  return payload && { userId: payload.user, event: payload.event };
}
